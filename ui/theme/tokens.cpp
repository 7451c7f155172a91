#include "ui/theme/theme.h"

namespace trainyard::ui {
namespace {

const QVector<QColor>& series() {
  static const QVector<QColor> kSeries = {0x5285F8, 0xC03809, 0x137B5E, 0x94468F, 0xCA5D79, 0x9E9447, 0x1C989C, 0x6254DD};
  return kSeries;
}

}  // namespace

Tokens lightTokens() {
  Tokens t;
  t.window = 0xF3F5F7;
  t.base = 0xFFFFFF;
  t.raised = 0xE9EDF1;
  t.text = 0x1A1F26;
  t.secondary = 0x525C69;
  t.placeholder = 0x6A7480;
  t.disabled = 0x8A939E;
  t.hairline = 0xC9D0D8;
  t.edge = 0x78828E;
  t.accent = 0x1F5FD0;
  t.on_accent = 0xFFFFFF;
  t.selection = 0xD6E4FB;
  t.good = 0x17703F;
  t.good_ground = 0xE6F4EB;
  t.caution = 0x8A5200;
  t.caution_ground = 0xFFF3DC;
  t.bad = 0xB4232C;
  t.bad_ground = 0xFDEBEC;
  t.series = series();
  t.dark = false;
  return t;
}

Tokens darkTokens() {
  Tokens t;
  t.window = 0x1B1F24;
  t.base = 0x14171B;
  t.raised = 0x252A31;
  t.text = 0xE7EAEE;
  t.secondary = 0xA3ADB9;
  t.placeholder = 0x8A95A2;
  t.disabled = 0x6B7480;
  t.hairline = 0x363D46;
  t.edge = 0x747E8A;
  t.accent = 0x7FB0FF;
  t.on_accent = 0x0E1116;
  t.selection = 0x243B61;
  t.good = 0x5CCB8C;
  t.good_ground = 0x15301F;
  t.caution = 0xF0B350;
  t.caution_ground = 0x3A2A0C;
  t.bad = 0xFF8A85;
  t.bad_ground = 0x3D1A1C;
  t.series = series();
  t.dark = true;
  return t;
}

}  // namespace trainyard::ui
