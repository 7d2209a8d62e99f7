import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Days that a certificate is valid. Apple's systems accept at most 825. */
const VALID_DAYS = 397
const DAY = 86_400_000

/**
 * Returns the certificate of this user for `localhost` and `host`, so that it has to be trusted only once. Creates it if
 * there is none, it does not cover the host, or it expires within a week. `file` is its path, for whoever trusts it.
 */
export function loadCertificate(host: string) {
  const folder = join(homedir(), '.rapport-mock')
  const [file, keyFile] = [join(folder, 'localhost.pem'), join(folder, 'localhost-key.pem')]
  const stored = read(file, keyFile)
  if (stored !== undefined && isUsable(stored, host)) return { ...stored, file }
  const created = createCertificate(['localhost', '127.0.0.1', '::1', host])
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(file, created.cert)
  // Whoever reads the key can impersonate localhost to a browser that trusts the certificate.
  writeFileSync(keyFile, created.key, { mode: 0o600 })
  return { ...created, file }
}

function read(file: string, keyFile: string): Certificate | undefined {
  try {
    return { cert: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  } catch {
    return undefined
  }
}

function isUsable({ cert, key }: Certificate, host: string): boolean {
  try {
    const x509 = new X509Certificate(cert)
    const isCovered = isIP(host) === 0 ? x509.checkHost(host) : x509.checkIP(host)
    const expiresAt = Date.parse(x509.validTo)
    return isCovered !== undefined && expiresAt > Date.now() + 7 * DAY && x509.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

/** Creates a self-signed certificate (RFC 5280) for host names and IP addresses. Node can only read certificates. */
export function createCertificate(hosts: readonly string[], now = Date.now()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, oid('2a8648ce3d040302')) // ecdsa-with-SHA256
  const commonName = der(SEQUENCE, oid('550403'), der(UTF8_STRING, Buffer.from('rapport-mock')))
  const name = der(SEQUENCE, der(SET, commonName))
  const extensions = [
    extension('551d11', der(SEQUENCE, ...[...new Set(hosts)].map(alternativeName))), // subjectAltName
    extension('551d13', der(SEQUENCE)), // basicConstraints: no authority, so a stolen key certifies nothing else
    extension('551d25', der(SEQUENCE, oid('2b06010505070301'))), // extKeyUsage: serverAuth
  ]
  const contents = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    // The first bit is 0, because the number is positive.
    der(INTEGER, Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithm,
    name,
    der(SEQUENCE, time(now - DAY), time(now + (VALID_DAYS - 1) * DAY)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, ...extensions)),
  )
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', contents, privateKey))
  const base64 = der(SEQUENCE, contents, algorithm, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

// Tags of DER, and those that RFC 5280 gives to fields.
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_IDENTIFIER = 0x06
const UTF8_STRING = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
const VERSION = 0xa0
const EXTENSIONS = 0xa3
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

/** Encodes a value in DER: its tag, its length, its contents. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  const { length } = body
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), body])
  const digits = Buffer.from(length.toString(16).padStart(length < 0x100 ? 2 : 4, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, body])
}

const oid = (hex: string): Buffer => der(OBJECT_IDENTIFIER, Buffer.from(hex, 'hex'))

const extension = (id: string, value: Buffer): Buffer => der(SEQUENCE, oid(id), der(OCTET_STRING, value))

function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return der(UTC_TIME, Buffer.from(`${digits}Z`))
}

function alternativeName(host: string): Buffer {
  const version = isIP(host)
  if (version === 0) return der(DNS_NAME, Buffer.from(host))
  return der(IP_ADDRESS, version === 4 ? Buffer.from(host.split('.').map(Number)) : ipv6Bytes(host))
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser writes an embedded IPv4 address as two groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text = '') => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** Describes how to trust a certificate on this system, and how tools use it without that. */
export function trustInstructions(file: string, platform: NodeJS.Platform): string {
  const system =
    platform === 'darwin'
      ? `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db "${file}"`
      : platform === 'win32'
        ? `certutil -user -addstore Root "${file}"`
        : `certutil -d sql:$HOME/.pki/nssdb -A -t P,, -n rapport-mock -i "${file}"`
  return [
    '  The certificate is self-signed. Trust it once, until it expires or you delete it:',
    `    browsers  ${system}`,
    `    Node      NODE_EXTRA_CA_CERTS="${file}" node app.js`,
    `    curl      curl --cacert "${file}" https://localhost:…`,
  ].join('\n')
}
