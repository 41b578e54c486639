/**
 * Addresses, good and bad: a table by hand and families generated from it. Each says whether it may be clicked and,
 * if so, where a click leads. Shared by the unit test of the decision and the test of what is rendered.
 */

export interface Address {
  text: string;
  /** The address a browser may be sent to; absent when it must stay text. */
  leads?: string;
}

const good = (text: string, leads = text): Address => ({ text, leads });
const bad = (text: string): Address => ({ text });

const byHand: Address[] = [
  good('https://shop.example', 'https://shop.example/'),
  good('http://shop.example/', 'http://shop.example/'),
  good('HTTPS://SHOP.EXAMPLE/A', 'https://shop.example/A'),
  good('https://www.shop.example/a/b?c=d&e=f#g'),
  good('https://shop.example:8443/a'),
  good('https://shop.example/a%20b'),
  good("https://shop.example/it's"),
  good('https://shop.example/a_(b)'),
  good('https://8.8.8.8/dns'),
  good('https://a.b.c.d.shop.example/'),
  good('https://xn--mnchen-3ya.example/'),
  good('https://пример.рф/', 'https://xn--e1afmkfd.xn--p1ai/'),
  good('https://例え.テスト/a', 'https://xn--r8jz45g.xn--zckzah/a'),
  good('mailto:help@shop.example'),
  good('mailto:first.last+tag@shop.example?subject=Order%2012'),
  good('tel:+493012345'),
  good('tel:030-12345'),
  bad('https://user@shop.example/'),
  bad('https://user:secret@shop.example/'),
  bad('https://shop.example@evil.example/'),
  bad('https://shop.example:443@evil.example/'),
  bad('https:///shop.example'),
  bad('https:shop.example'),
  bad('https:\\\\shop.example'),
  bad('https:/\\shop.example'),
  bad('https://shop.example\\@evil.example'),
  bad('https://shop.example/\\..\\a'),
  bad('https://localhost/'),
  bad('https://intranet/'),
  bad('https://[::1]/'),
  bad('https://[2001:db8::1]/a'),
  bad('https://2130706433/'),
  bad('https://0x7f000001/'),
  bad('https://0x7f.1/'),
  bad('https://0177.0.0.1/'),
  bad('https://127.1/'),
  bad('https://shop.example./'),
  bad('https://shop..example/'),
  bad('https://.shop.example/'),
  bad('https://shop%2eexample/'),
  bad('https://shop%00.example/'),
  bad('https://shop.example%2f@evil.example/'),
  bad('https://sh\u200bop.example/'),
  bad('https://sh\u00adop.example/'),
  bad('https://шоп\u200b.рф/'),
  bad('https://аpple.com/'),
  bad('https://аррӏе.com/'),
  bad('https://münchen.example/'),
  bad('https://ｓｈｏｐ。ｅｘａｍｐｌｅ/'),
  bad('https://shop。example/'),
  bad('https://ⓢⓗⓞⓟ.example/'),
  bad('https://shop.example/\u202egnp.exe'),
  bad('\u2066https://shop.example\u2069/'),
  bad('┌https://shop.example┐'),
  bad('https://shop.example/käse'),
  bad(`https://shop.example/${'a'.repeat(4100)}`),
  bad(`https://${'a'.repeat(64)}.example/`),
  bad(`https://${'a.'.repeat(130)}example/`),
  bad('https://xn--a.example/'),
  bad('https://shop.example:99999/'),
  bad('https://shop.ex"ample/'),
  bad("https://sh'op.example/"),
  bad('https://$shop.example/'),
  bad('mailto:'),
  bad('mailto:a'),
  bad('mailto:a@b'),
  bad('mailto:a@shop.example,b@evil.example'),
  bad('mailto:a@shop.example?bcc=b@evil.example'),
  bad('mailto:a@shop.example?subject=a%0d%0aBcc:b@evil.example'),
  bad('mailto:a@shop.example?attach=/etc/passwd'),
  bad('tel:'),
  bad('tel:*%2306%23'),
  bad('tel:abc'),
  bad('//shop.example/'),
  bad('/a'),
  bad('#a'),
  bad('?a'),
  bad('a'),
  bad(''),
  bad('about:blank'),
  bad('mhtml:x'),
];

const schemes = [
  ...['javascript', 'vbscript', 'data', 'blob', 'file', 'intent', 'filesystem', 'view-source', 'about', 'ws'],
  ...[
    'wss',
    'ftp',
    'sms',
    'market',
    'chrome',
    'ms-word',
    'search-ms',
    'steam',
    'jar',
    'feed',
    'livescript',
    'x',
  ],
];
const bodies = [
  'alert(1)',
  '//shop.example/%0aalert(1)',
  'text/html,<script>alert(1)</script>',
  'text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  '//%0d%0aalert(1)//',
];
/** Ways to write a scheme so that a checker does not see it and a browser does. */
const disguises: ((scheme: string) => string)[] = [
  (s) => `${s}:`,
  (s) => `${s.toUpperCase()}:`,
  (s) => ` ${s}:`,
  (s) => `\u0001${s}:`,
  (s) => `${s.slice(0, 2)}\t${s.slice(2)}:`,
  (s) => `${s.slice(0, 2)}\n${s.slice(2)}:`,
  (s) => `${s}&colon;`,
  (s) => `&#${s.charCodeAt(0)};${s.slice(1)}:`,
  (s) => `%${s.charCodeAt(0).toString(16)}${s.slice(1)}:`,
  (s) => `${s}\u200b:`,
];

/** Every one of them in front of a good address, or in it. */
const spoilers: ((address: string) => string)[] = [
  (a) => a.replace('://', '://user@'),
  (a) => a.replace('://', '://user:pass@'),
  (a) => a.replace('://', ':\\\\'),
  (a) => a.replace('://', ':'),
  (a) => a.replace('://', ':///'),
  (a) => a.replace('shop.', 'sh%6fp.'),
  (a) => a.replace('shop.', 'ѕhop.'),
  (a) => a.replace('shop.', 'sh\u2060op.'),
  (a) => a.replace('shop.', 'shop..'),
  (a) => a.replace(/(www\.)?shop\.example/, 'shop'),
  (a) => a.replace('shop.example', 'shop.example.'),
  (a) => `${a}\u202e`,
  (a) => `${a}/║`,
  (a) => `${a}/é`,
  (a) => `${a}/${'x'.repeat(4096)}`,
];

export const addresses: Address[] = [
  ...byHand,
  ...schemes.flatMap((scheme, i) =>
    disguises.flatMap((disguise, j) => [
      bad(disguise(scheme) + (bodies[(i + j) % bodies.length] ?? '')),
      bad(disguise(scheme) + (bodies[(i + j + 2) % bodies.length] ?? '')),
    ]),
  ),
  ...['https://shop.example/a', 'http://www.shop.example/b?c#d', 'https://shop.example:8443/e'].flatMap(
    (address) => [good(address), ...spoilers.map((spoil) => bad(spoil(address)))],
  ),
  ...Array.from({ length: 120 }, (_, i) =>
    good(`https://${'s'.repeat((i % 9) + 1)}${i}.shop.example/p/${i}?q=${i * 7}#${i}`),
  ),
];
