#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "hindsight/functions/coverage.hpp"
#include "hindsight/games/data_pools.hpp"
#include "hindsight/games/json_line.hpp"
#include "hindsight/games/ranked_names.hpp"

namespace hindsight {
namespace {

struct Document {
  double length = 0;            // in words
  std::vector<int> words = {};  // each once
};

struct Corpus {
  std::vector<Document> documents;
  std::vector<std::string> words;  // their names
  std::size_t entries = 0;         // pairs of a document and a word in it
};

bool is_json_lines(const std::string& path) {
  LineReader lines(path);
  while (lines.next())
    if (const auto at = lines.line().find_first_not_of(" \t"); at != std::string_view::npos)
      return lines.line()[at] == '{';
  return false;
}

/// Three lines with the numbers of documents, words and entries; then `document word count`.
Corpus read_bags(const std::string& path, Malformed& malformed) {
  RowReader reader(path, malformed);
  constexpr std::int64_t most = 10'000'000;
  std::vector<std::int64_t> sizes;
  reader.each(
      [&](const Fields& fields) {
        require(fields.size() == 1, "row", std::to_string(fields.size()) + " fields",
                "must be one number");
        sizes.push_back(read_whole("size", fields[0], 1, sizes.size() < 2 ? most : 100 * most));
      },
      3);
  if (sizes.size() < 3)
    reader.fail("must begin with the numbers of documents, words and entries, or be JSON lines");
  Corpus corpus;
  corpus.documents.resize(static_cast<std::size_t>(sizes[0]));
  for (std::int64_t w = 1; w <= sizes[1]; ++w) corpus.words.push_back(fmt::format("word {}", w));
  std::unordered_set<std::int64_t> seen;
  reader.each([&](const Fields& fields) {
    require(fields.size() == 3, "row", std::to_string(fields.size()) + " fields",
            "must be a document, a word and a count");
    const auto document = read_whole("document", fields[0], 1, sizes[0]);
    const auto word = read_whole("word", fields[1], 1, sizes[1]);
    const auto count = read_whole("count", fields[2], 1, 1'000'000'000);
    require(seen.insert(document * (most + 1) + word).second, "word", word,
            "must not be listed twice for one document");
    Document& d = corpus.documents[static_cast<std::size_t>(document - 1)];
    d.length += static_cast<double>(count);
    d.words.push_back(static_cast<int>(word - 1));
    ++corpus.entries;
  });
  const auto listed = static_cast<std::int64_t>(reader.rows()) - 3;
  if (listed != sizes[2])
    reader.fail(fmt::format("must have the {} entries that it promises, not {}", sizes[2], listed));
  return corpus;
}

/// Words are runs of the letters A to Z, in any case.
void add_text(std::string_view text, Names& names, Corpus& corpus) {
  Document document;
  std::string word;
  const auto end_word = [&] {
    if (word.empty()) return;
    document.words.push_back(names.add(word));
    word.clear();
  };
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
      word += static_cast<char>(std::tolower(c));
    else
      end_word();
  }
  end_word();
  document.length = static_cast<double>(document.words.size());
  std::sort(document.words.begin(), document.words.end());
  document.words.erase(std::unique(document.words.begin(), document.words.end()),
                       document.words.end());
  corpus.entries += document.words.size();
  corpus.documents.push_back(std::move(document));
}

Corpus read_texts(const std::string& path, Malformed& malformed) {
  LineReader lines(path);
  Names names;
  Corpus corpus;
  while (lines.next()) {
    if (lines.line().find_first_not_of(" \t") == std::string_view::npos) continue;
    malformed.guard(lines, [&] {
      const nlohmann::json object = parse_json_line(lines.line());
      if (!object.is_object() || !object.contains("text") || !object["text"].is_string())
        throw InputError("must be an object with a text `text`");
      add_text(object["text"].get_ref<const std::string&>(), names, corpus);
    });
  }
  if (corpus.documents.empty()) throw InputError(path + ": must hold at least one document");
  for (int w = 0; w < names.size(); ++w) corpus.words.push_back(names[w]);
  return corpus;
}

}  // namespace

DataPool words_pool(const WordsOptions& options) {
  DataPool pool;
  pool.malformed.skip = options.skip_malformed;
  const Corpus corpus = is_json_lines(options.path) ? read_texts(options.path, pool.malformed)
                                                    : read_bags(options.path, pool.malformed);
  const auto documents = static_cast<double>(corpus.documents.size());
  std::vector<double> count(corpus.words.size(), 0.0);  // of documents with the word
  for (const Document& document : corpus.documents)
    for (const int word : document.words) ++count[static_cast<std::size_t>(word)];
  for (double& n : count)
    if (n > options.most_documents * documents) n = 0;
  const std::vector<int> chosen = most_frequent(count, options.items);
  require(!chosen.empty(), "most_documents", options.most_documents,
          "must leave at least one word of " + options.path);
  const std::vector<int> rank = positions(chosen, corpus.words.size());
  for (const int word : chosen)
    pool.items.names.push_back(corpus.words[static_cast<std::size_t>(word)]);
  pool.summary = fmt::format("{} documents, {} words, {} entries", corpus.documents.size(),
                             corpus.words.size(), corpus.entries);

  const auto step = static_cast<std::size_t>(options.batch);
  for (std::size_t first = 0; first < corpus.documents.size(); first += step) {
    const std::size_t last = std::min(corpus.documents.size(), first + step);
    std::vector<double> lengths;
    std::vector<std::vector<int>> sets(chosen.size());
    for (std::size_t d = first; d < last; ++d) {
      for (const int word : corpus.documents[d].words)
        if (const int item = rank[static_cast<std::size_t>(word)]; item >= 0)
          sets[static_cast<std::size_t>(item)].push_back(static_cast<int>(lengths.size()));
      lengths.push_back(corpus.documents[d].length);
    }
    pool.add(std::make_shared<Coverage>(std::move(lengths), sets));
  }
  return pool;
}

}  // namespace hindsight
