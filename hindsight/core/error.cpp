#include "hindsight/core/error.hpp"

namespace hindsight {

InputError InputError::at(std::string_view place) const {
  return InputError(std::string(place) + ": " + what());
}

void detail::throw_rejection(std::string_view name, const std::string& value,
                             std::string_view rule) {
  throw InputError(std::string(name) + " = " + value + ": " + std::string(rule));
}

}  // namespace hindsight
