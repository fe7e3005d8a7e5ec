#include "hindsight/learners/learner.hpp"

namespace hindsight {
namespace {
constexpr std::string_view format = "hindsight learner 10";
}

std::string Learner::save() const {
  Writer writer;
  writer.text(format);
  writer.text(kind());
  write(writer);
  return std::move(writer).finish();
}

void Learner::restore(std::string_view snapshot) {
  Reader reader(snapshot);
  reader.same_text("format", format);
  reader.same_text("kind", kind());
  read(reader);
}

}  // namespace hindsight
