#include "ui/icons/icons.h"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace trainyard::ui {
namespace {

QByteArray drawing(const QString& name) {
  static QHash<QString, QByteArray> cache;
  auto it = cache.find(name);
  if (it == cache.end()) {
    QFile file(":/icons/" + name + ".svg");
    it = cache.insert(name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
  }
  return *it;
}

class TintedEngine : public QIconEngine {
 public:
  TintedEngine(QString name, QPalette::ColorRole role, QColor color) : name_(std::move(name)), role_(role), color_(std::move(color)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    painter->drawPixmap(rect, scaledPixmap(rect.size(), mode, state, painter->device()->devicePixelRatioF()));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override { return scaledPixmap(size, mode, state, 1); }
  // `size` is in device pixels here.
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
    if (size.isEmpty()) return {};
    const QColor tint = colour(mode, state);
    const QString key = QString("trainyard/%1/%2/%3x%4").arg(name_, tint.name()).arg(size.width()).arg(size.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    QByteArray svg = drawing(name_);
    svg.replace("currentColor", tint.name().toLatin1());
    QSvgRenderer renderer(svg);
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(QPointF(), size));
    painter.end();
    Q_UNUSED(scale);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
  }
  QIconEngine* clone() const override { return new TintedEngine(name_, role_, color_); }

 private:
  QColor colour(QIcon::Mode mode, QIcon::State state) const {
    const QPalette palette = QApplication::palette();
    if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::WindowText);
    if (color_.isValid()) return color_;
    return palette.color(QPalette::Active, state == QIcon::On ? QPalette::Link : role_);
  }

  QString name_;
  QPalette::ColorRole role_;
  QColor color_;
};

}  // namespace

QIcon icon(const QString& name, QPalette::ColorRole role) { return QIcon(new TintedEngine(name, role, {})); }

QIcon icon(const QString& name, const QColor& color) { return QIcon(new TintedEngine(name, QPalette::WindowText, color)); }

}  // namespace trainyard::ui
