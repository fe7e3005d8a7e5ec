/// What can go wrong, said the same way everywhere: a name, its value, and the rule it broke.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace hindsight {

/// Something given from outside breaks a rule. Nothing was changed. The command exits with 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message, std::string name = {})
      : std::runtime_error(message), name_(std::move(name)) {}

  /// What broke the rule: "steps", "parts[2]"; empty once the message says its place itself.
  const std::string& name() const { return name_; }

  /// The same error with its place in front: `file.toml:12: learner.`
  InputError after(std::string_view prefix) const;

 private:
  std::string name_;
};

namespace detail {
[[noreturn]] void throw_rejection(std::string_view name, const std::string& value,
                                  std::string_view rule);
}  // namespace detail

/// Throws `name = value: rule`, for instance `learner.steps = 80: must be at most block_length =
/// 64`.
template <class Value>
[[noreturn]] void reject(std::string_view name, const Value& value, std::string_view rule) {
  std::ostringstream text;
  text.precision(17);
  text << std::boolalpha << value;
  detail::throw_rejection(name, text.str(), rule);
}

/// Rejects unless `holds`. The rule is written as what must be: "must be positive".
template <class Value>
void require(bool holds, std::string_view name, const Value& value, std::string_view rule) {
  if (!holds) reject(name, value, rule);
}

}  // namespace hindsight
