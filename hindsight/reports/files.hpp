/// Files that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace hindsight {

/// Writes to a temporary name beside `path`, syncs, and renames. Throws std::system_error with the
/// file's name and the system's reason (a full disk, say); an older file of that name is then still
/// there, untouched.
void write_file(const std::string& path, std::string_view content);

/// The whole file. Throws InputError where there is none that can be read.
std::string read_file(const std::string& path);

}  // namespace hindsight
