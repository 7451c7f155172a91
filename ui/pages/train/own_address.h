#pragma once
// By which address other computers of the same network reach this one.
#include <QString>

namespace trainyard::ui {

// "192.168.1.17": IPv4 of the first interface that is up and no loopback; empty: none. (The host's own name is no answer: on many systems
// it leads to 127.0.1.1, where no other computer can call.)
QString ownAddress();

}  // namespace trainyard::ui
