/** Which sources of a security policy let an address of the service through: the doctor reads them as browsers do. */
import { expect, test } from 'vitest';
import { lets } from '../../src/doctor/source.js';

const FILE = 'https://support.example.com/rails/active_storage/blobs/redirect/eyJ/lamp.png?x=1';
const allows = (sources: string, address = FILE, page = 'https://shop.example.org/lamps') =>
  sources
    .split(' ')
    .map((source) => [source, lets(source, address, page)])
    .filter(([, isLet]) => isLet)
    .map(([source]) => source)
    .join(' ');

test('hosts, with and without scheme, port, subdomain and path', () => {
  const through =
    '* https: HTTP: support.example.com https://support.example.com http://SUPPORT.example.com *.example.com https://* support.example.com:443 support.example.com:80 support.example.com:* https://support.example.com/ support.example.com/rails/ ';
  expect(allows(through.trim())).toBe(through.trim());
  expect(
    allows(
      "data: blob: wss: 'self' 'none' 'nonce-support.example.com' example.com *.support.example.com https://support.example.com.evil.example wss://support.example.com support.example.com:3000 support.example.com/rails support.example.com/public/ null",
    ),
  ).toBe('');
});

test('ports that are not the usual ones, and plain http', () => {
  const dev = 'http://127.0.0.1:3000/uploads/a.png';
  expect(
    allows(
      '* http: https: 127.0.0.1 127.0.0.1:80 127.0.0.1:3000 127.0.0.1:* http://127.0.0.1:3000 https://127.0.0.1:3000',
      dev,
      'http://localhost:3000',
    ),
  ).toBe('* http: 127.0.0.1:3000 127.0.0.1:* http://127.0.0.1:3000');
  // Of a page on https a host alone is one on https.
  expect(allows('127.0.0.1:3000 http://127.0.0.1:3000', dev)).toBe('http://127.0.0.1:3000');
});

test('the page’s own host', () => {
  expect(allows("'self' 'SELF'", FILE, 'https://support.example.com/help')).toBe("'self' 'SELF'");
  expect(allows("'self'", FILE, 'http://support.example.com/help')).toBe("'self'");
  expect(allows("'self'", FILE, 'about:srcdoc')).toBe('');
});
