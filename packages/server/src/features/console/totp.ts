import { createHmac, randomBytes } from 'node:crypto'

/** RFC 6238 as every app has it: SHA-1, six digits, half a minute. */
const stepSeconds = 30
const digits = 6

/** RFC 4226, 4: 160 bits. */
export const newTotpSecret = (): Buffer => randomBytes(20)

/** A phone's clock may be a step off, either way. */
const windowSteps = [0, -1, 1]

/** The step that the code is of; null: it is of none. Whether it was used before, the caller asks the database. */
export function findTotpStep(secret: Buffer, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / 1_000 / stepSeconds)
  const step = windowSteps.map((offset) => now + offset).find((at) => makeTotpCode(secret, at) === code)
  return step ?? null
}

export function makeTotpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding: 20 bytes need none. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/.{1,5}/g, (group) => base32Letters.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
}

export function makeOtpauthUri(secret: Buffer, userName: string, host: string): string {
  const label = encodeURIComponent(`Casenote ${host}:${userName}`)
  const issuer = encodeURIComponent(`Casenote ${host}`)
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${issuer}`
}
