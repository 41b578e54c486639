/** A key and a certificate that it signs itself, good for a day: made here, so none lies in the repository. */
import { generateKeyPairSync, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

/** DER: a tag, how long it is, and what is in it. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length: size } = body;
  // Browsers refuse what could be said in fewer digits.
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Uint8Array.of(tag, ...length), body]);
}
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const number = (value: number) => der(0x02, Uint8Array.of(value));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
/** Two digits for the year. */
const time = (ms: number) =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = oid('550403');
const subjectAltName = oid('551d11');
const DNS_NAME = 0x82;

/** @returns both as PEM */
export function makeCertificate(names: readonly string[]): { key: string; certificate: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const who = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(names[0] ?? '')))));
  const hosts = sequence(...names.map((name) => der(DNS_NAME, Buffer.from(name))));
  const content = sequence(
    der(0xa0, number(2)),
    number(1),
    ecdsaWithSha256,
    who,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, hosts)))),
  );
  const signature = der(0x03, Uint8Array.of(0), sign('sha256', content, privateKey));
  const lines = sequence(content, ecdsaWithSha256, signature)
    .toString('base64')
    .replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
