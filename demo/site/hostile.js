/**
 * What old libraries did to every page they were on, run before the chat. Knows nothing of the chat.
 * JSON in the manner of Prototype 1.6: values serialise themselves to text, so JSON.stringify quotes them twice.
 */
(() => {
  const quote = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const toText = (value) => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (typeof value === 'string') return quote(value);
    if (Array.isArray(value)) return `[${value.map(toText).join(', ')}]`;
    if (value instanceof Date) return quote(String(value));
    return `{${Object.keys(value)
      .map((key) => `${quote(key)}: ${toText(value[key])}`)
      .join(', ')}}`;
  };
  for (const owner of [Array, String, Number, Boolean, Date]) {
    owner.prototype.toJSON = function toJSON() {
      return toText(this.valueOf());
    };
  }
  // Enumerable on purpose: `for … in` over any object or array meets these.
  Object.prototype.inherits = function inherits() {
    return false;
  };
  Object.prototype.toJSON = function toJSON() {
    return toText(this);
  };
  Array.prototype.each = function each(visit) {
    for (let at = 0; at < this.length; at++) visit(this[at], at);
  };
  Array.prototype.last = function last() {
    return this[this.length - 1];
  };

  const plain = window.fetch;
  window.fetch = function measuredFetch(...all) {
    return plain.apply(this, all);
  };
})();
