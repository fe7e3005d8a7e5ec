// hindsight completion: a bash completion script, made from the command's own verbs and options.
#include <fmt/format.h>

#include "apps/cli/verbs.hpp"

namespace hindsight::cli {
namespace {

std::string words_of(const CLI::App& verb) {
  std::string words;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) words += " --" + name;
  return words.empty() ? words : words.substr(1);
}

void print_script(const CLI::App& app) {
  std::string verbs, cases;
  for (const CLI::App* verb : app.get_subcommands({})) {
    verbs += (verbs.empty() ? "" : " ") + verb->get_name();
    cases += fmt::format("    {}) words=\"{}\" ;;\n", verb->get_name(), words_of(*verb));
  }
  fmt::print(
      "# bash completion for hindsight; to use it now: source <(hindsight completion)\n"
      "_hindsight() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} words=\"\"\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"{0} --help --version\" -- \"$current\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{1}"
      "  esac\n"
      "  if [[ ${{COMP_WORDS[1]}} == list && $current != -* ]]; then\n"
      "    words=\"learners games domains oracles schedules\"\n"
      "  elif [[ $current != -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
      "    return\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "}}\n"
      "complete -o filenames -F _hindsight hindsight\n",
      verbs, cases);
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("completion", "Prints a completion script for bash");
  verb->footer("Example:\n  source <(hindsight completion)");
  verb->callback([&app] { print_script(app); });
}

}  // namespace hindsight::cli
