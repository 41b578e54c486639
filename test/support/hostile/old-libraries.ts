/** Scripts of the kind that pages load before anybody else, and that change what every later script stands on. */

/** In the manner of Prototype 1.6, word for word where it matters: every member is enumerable, and many replace native ones. */
export const prototype16 = `
var $break = {};
Object.extend = function (to, from) { for (var name in from) to[name] = from[name]; return to; };
Object.extend(Object, {
  isUndefined: function (o) { return typeof o == 'undefined'; },
  isFunction: function (o) { return typeof o == 'function'; },
  isElement: function (o) { return !!o && o.nodeType == 1; },
  inspect: function (o) { return o === undefined ? 'undefined' : o === null ? 'null' : o.inspect ? o.inspect() : String(o); },
  toJSON: function (o) {
    switch (typeof o) { case 'undefined': case 'function': case 'unknown': return; case 'boolean': return o.toString(); }
    if (o === null) return 'null';
    if (o.toJSON) return o.toJSON();
    if (Object.isElement(o)) return;
    var results = [];
    for (var name in o) { var v = Object.toJSON(o[name]); if (v !== undefined) results.push(name.toJSON() + ': ' + v); }
    return '{' + results.join(', ') + '}';
  }
});
function $A(iterable) {
  if (!iterable) return [];
  if (iterable.toArray) return iterable.toArray();
  var length = iterable.length || 0, results = new Array(length);
  while (length--) results[length] = iterable[length];
  return results;
}
Object.extend(Function.prototype, {
  bind: function () {
    if (arguments.length < 2 && Object.isUndefined(arguments[0])) return this;
    var m = this, args = $A(arguments), object = args.shift();
    return function () { return m.apply(object, args.concat($A(arguments))); };
  },
  curry: function () { var m = this, args = $A(arguments); return function () { return m.apply(this, args.concat($A(arguments))); }; },
  delay: function (s) { var m = this; return window.setTimeout(function () { return m.apply(m); }, s * 1000); },
  wrap: function (w) { var m = this; return function () { return w.apply(this, [m.bind(this)].concat($A(arguments))); }; }
});
Date.prototype.toJSON = function () { return '"' + this.toISOString() + '"'; };
Object.extend(String.prototype, {
  inspect: function (d) { return '"' + this.replace(/["\\\\]/g, '\\\\$&') + '"'; },
  toJSON: function () { return this.inspect(true); },
  strip: function () { return this.replace(/^\\s+/, '').replace(/\\s+$/, ''); },
  include: function (p) { return this.indexOf(p) > -1; },
  startsWith: function (p) { return this.indexOf(p) === 0; },
  endsWith: function (p) { var d = this.length - p.length; return d >= 0 && this.lastIndexOf(p) === d; },
  empty: function () { return this == ''; },
  toArray: function () { return this.split(''); },
  times: function (n) { return n < 1 ? '' : new Array(n + 1).join(this); },
  truncate: function (n) { return this.length > n ? this.slice(0, n - 3) + '...' : String(this); }
});
Object.extend(Number.prototype, { toJSON: function () { return isFinite(this) ? this.toString() : 'null'; }, succ: function () { return this + 1; } });
var Enumerable = {
  eachSlice: function () {},
  all: function (f, c) { var r = true; this.each(function (v, i) { r = r && !!f.call(c, v, i); if (!r) throw $break; }); return r; },
  any: function (f, c) { var r = false; this.each(function (v, i) { if (r = !!f.call(c, v, i)) throw $break; }); return r; },
  collect: function (f, c) { f = f || function (x) { return x; }; var r = []; this.each(function (v, i) { r.push(f.call(c, v, i)); }); return r; },
  detect: function (f, c) { var r; this.each(function (v, i) { if (f.call(c, v, i)) { r = v; throw $break; } }); return r; },
  findAll: function (f, c) { var r = []; this.each(function (v, i) { if (f.call(c, v, i)) r.push(v); }); return r; },
  include: function (o) { return this.indexOf(o) != -1; },
  inject: function (m, f, c) { this.each(function (v, i) { m = f.call(c, m, v, i); }); return m; },
  invoke: function (n) { var a = $A(arguments).slice(1); return this.map(function (v) { return v[n].apply(v, a); }); },
  pluck: function (n) { return this.map(function (v) { return v[n]; }); },
  sortBy: function (f) { return this.slice().sort(function (a, b) { return f(a) < f(b) ? -1 : 1; }); },
  toArray: function () { return this.slice(); }
};
Object.extend(Enumerable, {
  map: Enumerable.collect, find: Enumerable.detect, select: Enumerable.findAll, filter: Enumerable.findAll,
  member: Enumerable.include, entries: Enumerable.toArray, every: Enumerable.all, some: Enumerable.any
});
Array.prototype._reverse = Array.prototype.reverse;
Array.prototype._each = Array.prototype.forEach;
Array.prototype.each = function (f) {
  try { for (var i = 0; i < this.length; i++) f(this[i], i); } catch (e) { if (e != $break) throw e; }
  return this;
};
Object.extend(Array.prototype, Enumerable);
Object.extend(Array.prototype, {
  reverse: function (inline) { return (inline !== false ? this : this.toArray())._reverse(); },
  clear: function () { this.length = 0; return this; },
  first: function () { return this[0]; }, last: function () { return this[this.length - 1]; },
  compact: function () { return this.select(function (v) { return v != null; }); },
  flatten: function () { return this.inject([], function (a, v) { return a.concat(Array.isArray(v) ? v.flatten() : [v]); }); },
  without: function () { var w = $A(arguments); return this.select(function (v) { return !w.include(v); }); },
  reduce: function () { return this.length > 1 ? this : this[0]; },
  uniq: function () { return this.inject([], function (a, v) { if (!a.include(v)) a.push(v); return a; }); },
  clone: function () { return [].concat(this); }, size: function () { return this.length; },
  inspect: function () { return '[' + this.map(Object.inspect).join(', ') + ']'; },
  toJSON: function () { var r = []; this.each(function (o) { var v = Object.toJSON(o); if (v !== undefined) r.push(v); }); return '[' + r.join(', ') + ']'; }
});
Array.from = $A;
var Hash = function (o) { this._object = o; };
var Form = {}, Ajax = {}, Position = {}, Template = function () {}, Class = { create: function () {} };
var $ = function (id) { return document.getElementById(id); }, $$ = function () { return []; }, $H = function (o) { return new Hash(o); };
Object.extend(Element.prototype, {
  visible: function () { return this.style.display != 'none'; },
  show: function () { this.style.display = ''; return this; }, hide: function () { this.style.display = 'none'; return this; },
  toggle: function () { return this.visible() ? this.hide() : this.show(); },
  remove: function () { this.parentNode.removeChild(this); return this; },
  update: function (c) { this.textContent = c; return this; }, replace: function (c) { return this; },
  insert: function () { return this; }, wrap: function () { return this; }, up: function () { return this.parentNode; },
  down: function () { return this.firstElementChild; }, next: function () { return this.nextElementSibling; },
  previous: function () { return this.previousElementSibling; }, select: function (s) { return $A(this.querySelectorAll(s)); },
  readAttribute: function (n) { return this.getAttribute(n); }, writeAttribute: function (n, v) { this.setAttribute(n, v); return this; },
  scrollTo: function () { var b = this.getBoundingClientRect(); window.scrollTo(b.left, b.top); return this; },
  getHeight: function () { return this.offsetHeight; }, observe: function () { return this; }, stopObserving: function () { return this; },
  identify: function () { return this.id || (this.id = 'anonymous_element_1'); }
});
Object.extend(Event.prototype, { element: function () { return this.target; }, stop: function () { this.preventDefault(); this.stopPropagation(); this.stopped = true; } });
`;

/** In the manner of MooTools 1.2 and 1.4 compat: constructors of the browser are replaced by ones of its own. */
export const mootools = `
(function () {
  var slice = Array.prototype.slice;
  Array.from = function (item) {
    if (item == null) return [];
    return typeof item != 'string' && typeof item != 'function' && typeof item.length == 'number'
      ? (Array.isArray(item) ? item : slice.call(item)) : [item];
  };
  Function.from = function (item) { return typeof item == 'function' ? item : function () { return item; }; };
  Number.from = function (item) { var n = parseFloat(item); return isFinite(n) ? n : null; };
  String.from = function (item) { return item + ''; };
  var implement = function (owner, members) { for (var name in members) owner.prototype[name] = members[name]; };
  implement(Function, {
    create: function (o) { var self = this; o = o || {}; return function () { return self.apply(o.bind || null, o.arguments != null ? Array.from(o.arguments) : slice.call(arguments)); }; },
    bind: function (bind, args) { return this.create({ bind: bind, arguments: args }); },
    pass: function (args, bind) { return this.create({ bind: bind, arguments: args }); },
    delay: function (ms, bind, args) { return setTimeout(this.create({ bind: bind, arguments: args }), ms); },
    extend: function (o) { for (var n in o) this[n] = o[n]; return this; }, $family: 'function', overloadSetter: function () { return this; }
  });
  implement(Array, {
    each: function (f, b) { for (var i = 0; i < this.length; i++) f.call(b, this[i], i, this); },
    contains: function (x) { return this.indexOf(x) != -1; }, include: function (x) { if (!this.contains(x)) this.push(x); return this; },
    erase: function (x) { var i = this.indexOf(x); if (i > -1) this.splice(i, 1); return this; }, empty: function () { this.length = 0; return this; },
    clean: function () { return this.filter(function (x) { return x != null; }); }, getLast: function () { return this[this.length - 1]; },
    append: function (a) { this.push.apply(this, a); return this; }, associate: function () { return {}; }, link: function () { return {}; },
    flatten: function () { return [].concat.apply([], this); }, hexToRgb: function () { return null; }, pick: function () { return this[0]; }
  });
  implement(String, {
    test: function (r) { return new RegExp(r).test(this); }, contains: function (s) { return this.indexOf(s) > -1; },
    clean: function () { return this.replace(/\\s+/g, ' ').trim(); }, camelCase: function () { return this; }, hyphenate: function () { return this; },
    capitalize: function () { return this; }, toInt: function () { return parseInt(this, 10); }, toFloat: function () { return parseFloat(this); },
    substitute: function () { return this; }, stripScripts: function () { return this; }
  });
  implement(Number, { limit: function (a, b) { return Math.min(b, Math.max(a, this)); }, times: function (f) { for (var i = 0; i < this; i++) f(i); }, toInt: function () { return +this; } });
  implement(Element, {
    get: function (n) { return this.getAttribute(n); }, set: function (n, v) { this.setAttribute(n, v); return this; },
    getElement: function (s) { return this.querySelector(s); }, getElements: function (s) { return this.querySelectorAll(s); },
    match: function (s) { return this.matches(s); }, inject: function (e) { e.appendChild(this); return this; }, adopt: function (e) { this.appendChild(e); return this; },
    grab: function (e) { this.appendChild(e); return this; }, hasClass: function (c) { return this.classList.contains(c); },
    addClass: function (c) { this.classList.add(c); return this; }, addEvent: function (n, f) { this.addEventListener(n, f); return this; },
    dispose: function () { return this.parentNode ? this.parentNode.removeChild(this) : this; }, destroy: function () { this.dispose(); return null; },
    empty: function () { return this; }, store: function () { return this; }, retrieve: function () { return null; }, uid: 1
  });
  var NativeEvent = Event, NativeElement = Element;
  window.Event = function DOMEvent(event) { this.event = event || window.event; this.type = this.event.type; this.target = this.event.target; };
  window.Element = function (tag) { return document.createElement(tag); };
  window.Element.prototype = NativeElement.prototype;
  window.Request = function (options) { this.options = options; };
  window.Class = function () {}; window.Chain = function () {}; window.Cookie = {}; window.Hash = function () {}; window.Options = {}; window.Events = {};
  window.$ = function (id) { return typeof id == 'string' ? document.getElementById(id) : id; };
  window.$$ = function (s) { return document.querySelectorAll(s); };
  window.$each = function (o, f) { for (var n in o) f(o[n], n); };
  Object.each = function (o, f) { for (var n in o) f(o[n], n, o); };
  Object.keyOf = function () {}; Object.merge = function (a) { return a; };
})();`;

/** The first polyfill of fetch, which went over XMLHttpRequest: no signal, no streams, no keepalive. */
export const oldFetch = `
(function () {
  function Headers(map) { this.map = map; }
  Headers.prototype.get = function (name) { var v = this.map[name.toLowerCase()]; return v ? v[0] : null; };
  Headers.prototype.has = function (name) { return name.toLowerCase() in this.map; };
  function Response(text, options) { this.type = 'default'; this.url = options.url; this.status = options.status; this.ok = this.status >= 200 && this.status < 300; this.statusText = options.statusText; this.headers = options.headers; this._text = text; }
  Response.prototype.text = function () {
    if (this.bodyUsed) return Promise.reject(new TypeError('Already read'));
    this.bodyUsed = true;
    return Promise.resolve(this._text);
  };
  Response.prototype.json = function () { return this.text().then(JSON.parse); };
  window.Headers = Headers; window.Response = Response;
  window.fetch = function (input, init) {
    init = init || {};
    return new Promise(function (resolve, reject) {
      var xhr = new XMLHttpRequest();
      xhr.onload = function () {
        var map = {};
        xhr.getAllResponseHeaders().trim().split('\\n').forEach(function (line) {
          var parts = line.trim().split(':');
          map[parts.shift().trim().toLowerCase()] = [parts.join(':').trim()];
        });
        resolve(new Response(xhr.responseText, { status: xhr.status, statusText: xhr.statusText, headers: new Headers(map), url: xhr.responseURL }));
      };
      xhr.onerror = function () { reject(new TypeError('Network request failed')); };
      xhr.open(init.method || 'GET', typeof input == 'string' ? input : input.url);
      (Array.isArray(init.headers) ? init.headers : Object.keys(init.headers || {}).map(function (n) { return [n, init.headers[n]]; }))
        .forEach(function (pair) { xhr.setRequestHeader(pair[0], pair[1]); });
      xhr.send(init.body === undefined ? null : init.body);
    });
  };
})();`;

/** As those who measure pages do it: each request is told, each answer read a second time. */
export const measured = `
(function () {
  var plain = window.fetch, told = [];
  window.fetch = function (input, init) {
    var address = input instanceof Request ? input.url : String(input);
    told.push(address.toLowerCase().split('?')[0]);
    var started = performance.now();
    return plain.apply(window, arguments).then(function (response) {
      response.clone().text().then(function (text) { told.push([response.status, text.length, performance.now() - started]); });
      return response;
    });
  };
  var open = XMLHttpRequest.prototype.open, send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.open = function (method, url) { this.measured = { method: method, url: String(url) }; return open.apply(this, arguments); };
  XMLHttpRequest.prototype.send = function () {
    var self = this;
    this.addEventListener('loadend', function () { told.push([self.measured.url, self.status, self.responseText.length]); });
    return send.apply(this, arguments);
  };
  var beacon = navigator.sendBeacon;
  navigator.sendBeacon = function () { told.push('beacon'); return beacon.apply(navigator, arguments); };
  var push = history.pushState;
  history.pushState = function () { told.push(location.href); return push.apply(history, arguments); };
  var on = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, work, options) {
    if (!work || (typeof work !== 'function' && !work.handleEvent)) return on.call(this, type, work, options);
    var wrapped = work.measured || (work.measured = function (event) { return (work.handleEvent || work).call(work.handleEvent ? work : this, event); });
    return on.call(this, type, wrapped, options);
  };
  var off = EventTarget.prototype.removeEventListener;
  EventTarget.prototype.removeEventListener = function (type, work, options) { return off.call(this, type, (work && work.measured) || work, options); };
})();`;

export const xhrProxy = `
(function () {
  var Native = XMLHttpRequest;
  function Facade() {
    var real = new Native(), self = this;
    this.upload = { addEventListener: function () { return real.upload.addEventListener.apply(real.upload, arguments); } };
    ['readystatechange', 'load', 'error', 'abort', 'timeout', 'loadend'].forEach(function (type) {
      real.addEventListener(type, function (event) {
        ['readyState', 'status', 'statusText', 'responseText', 'response', 'responseURL'].forEach(function (name) { try { self[name] = real[name]; } catch (e) {} });
        if (self['on' + type]) self['on' + type](event);
      });
    });
    Object.keys(Object.getOwnPropertyDescriptors(self.upload)).length;
    ['progress', 'load', 'loadstart', 'error'].forEach(function (type) {
      real.upload.addEventListener(type, function (event) { if (self.upload['on' + type]) self.upload['on' + type](event); });
    });
    ['open', 'send', 'abort', 'setRequestHeader', 'getResponseHeader', 'getAllResponseHeaders', 'overrideMimeType', 'addEventListener', 'removeEventListener'].forEach(function (name) {
      self[name] = function () { return real[name].apply(real, arguments); };
    });
  }
  window.XMLHttpRequest = Facade;
})();`;

export const socketWrapped = `
(function () {
  var Native = WebSocket;
  function Wrapped(url, protocols) {
    var socket = protocols === undefined ? new Native(url) : new Native(url, protocols);
    socket.addEventListener('message', function (event) { Wrapped.heard = (Wrapped.heard || 0) + String(event.data).length; });
    return new Proxy(socket, {
      get: function (target, name) { var value = target[name]; return typeof value === 'function' ? value.bind(target) : value; },
      set: function (target, name, value) { target[name] = value; return true; }
    });
  }
  Wrapped.prototype = Native.prototype;
  window.WebSocket = Wrapped;
})();`;

/** As zone.js does it: tasks are objects, callbacks run in a zone, and promises are its own. */
export const zone = `
(function () {
  var zone = { name: 'root', run: function (work, self, args) { return work.apply(self, args || []); } };
  window.Zone = { current: zone, __symbol__: function (n) { return '__zone_symbol__' + n; } };
  ['setTimeout', 'setInterval', 'requestAnimationFrame'].forEach(function (name) {
    var native = window[name];
    window['__zone_symbol__' + name] = native;
    window[name] = function (work) {
      var task = { type: 'macroTask', data: {}, toString: function () { return String(task.data.handle); } };
      var args = [].slice.call(arguments);
      args[0] = function () { return zone.run(work, this, arguments); };
      task.data.handle = native.apply(window, args);
      return name == 'requestAnimationFrame' ? task.data.handle : task;
    };
  });
  ['clearTimeout', 'clearInterval'].forEach(function (name) {
    var native = window[name];
    window[name] = function (task) { return native.call(window, task && task.data ? task.data.handle : task); };
  });
  var Native = Promise;
  function ZoneAwarePromise(executor) {
    var self = this;
    if (!(self instanceof ZoneAwarePromise)) throw new TypeError('Must be an instanceof Promise.');
    self.__zone_symbol__inner = new Native(function (yes, no) { executor(yes, no); });
    self.__zone_symbol__inner.then(function () {}, function () {});
  }
  ZoneAwarePromise.prototype.then = function (yes, no) {
    var inner = this.__zone_symbol__inner;
    return new ZoneAwarePromise(function (resolve, reject) {
      inner.then(
        function (v) { try { resolve(typeof yes == 'function' ? zone.run(yes, undefined, [v]) : v); } catch (e) { reject(e); } },
        function (v) { try { typeof no == 'function' ? resolve(zone.run(no, undefined, [v])) : reject(v); } catch (e) { reject(e); } });
    });
  };
  ZoneAwarePromise.prototype.catch = function (no) { return this.then(null, no); };
  ZoneAwarePromise.prototype.finally = function (work) { return this.then(function (v) { work(); return v; }, function (e) { work(); throw e; }); };
  ZoneAwarePromise.resolve = function (v) { return new ZoneAwarePromise(function (yes) { yes(v); }); };
  ZoneAwarePromise.reject = function (v) { return new ZoneAwarePromise(function (_, no) { no(v); }); };
  ZoneAwarePromise.all = function (list) { return ZoneAwarePromise.resolve(Native.all(list)); };
  ZoneAwarePromise.race = function (list) { return ZoneAwarePromise.resolve(Native.race(list)); };
  ZoneAwarePromise.allSettled = function (list) { return ZoneAwarePromise.resolve(Native.allSettled(list)); };
  window.Promise = ZoneAwarePromise;
})();`;

/** A promise library of its time: what came to the language later is not in it. */
export const oldPromise = `
(function () {
  var Native = Promise;
  function Old(executor) { this.inner = new Native(executor); this.inner.then(null, function () {}); }
  Old.prototype.then = function (yes, no) { var inner = this.inner.then(yes, no); return new Old(function (a, b) { inner.then(a, b); }); };
  Old.prototype['catch'] = function (no) { return this.then(null, no); };
  Old.resolve = function (v) { return new Old(function (yes) { yes(v); }); };
  Old.reject = function (v) { return new Old(function (_, no) { no(v); }); };
  Old.all = function (list) { return Old.resolve(Native.all(list)); };
  Old.race = function (list) { return Old.resolve(Native.race(list)); };
  window.Promise = Old;
})();`;

/** json2.js of 2007, which overwrote what was there. */
export const json2 = `
(function () {
  var quote = function (s) { return '"' + s.replace(/["\\\\\\u0000-\\u001f]/g, function (c) { return '\\\\u' + ('0000' + c.charCodeAt(0).toString(16)).slice(-4); }) + '"'; };
  function str(key, holder) {
    var value = holder[key], partial = [], i, k, v;
    if (value && typeof value === 'object' && typeof value.toJSON === 'function') value = value.toJSON(key);
    switch (typeof value) {
      case 'string': return quote(value);
      case 'number': return isFinite(value) ? String(value) : 'null';
      case 'boolean': return String(value);
      case 'object':
        if (!value) return 'null';
        if (Object.prototype.toString.apply(value) === '[object Array]') {
          for (i = 0; i < value.length; i += 1) partial[i] = str(i, value) || 'null';
          return '[' + partial.join(',') + ']';
        }
        for (k in value) if (Object.hasOwnProperty.call(value, k)) { v = str(k, value); if (v) partial.push(quote(k) + ':' + v); }
        return '{' + partial.join(',') + '}';
    }
  }
  window.JSON = {
    stringify: function (value) { return str('', { '': value }); },
    parse: (function (native) { return function (text) { if (typeof text !== 'string') throw new SyntaxError('JSON.parse'); return native(text); }; })(JSON.parse)
  };
})();`;
