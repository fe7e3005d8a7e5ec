#include "hindsight/core/error.hpp"

namespace hindsight {

InputError InputError::after(std::string_view prefix) const {
  return InputError(std::string(prefix) + what());
}

void detail::throw_rejection(std::string_view name, const std::string& value,
                             std::string_view rule) {
  throw InputError(std::string(name) + " = " + value + ": " + std::string(rule), std::string(name));
}

}  // namespace hindsight
