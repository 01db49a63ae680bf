import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (value: Buffer): Buffer =>
  value.length < 24
    ? Buffer.concat([Buffer.from([0x40 + value.length]), value])
    : Buffer.concat([Buffer.from([0x59, value.length >> 8, value.length & 0xff]), value])

interface Asked {
  challenge: string
  rpId: string
  origin: string
}

/** A phone with one ES256 key, as WebAuthn Level 3 spells what it says. */
export class PasskeyDevice {
  readonly credentialId = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #count = 0
  #userHandle = ''

  make({ challenge, rpId, origin }: Asked, userHandle: string) {
    this.#userHandle = userHandle
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const cose = Buffer.concat([
      // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(x, 'base64url')]),
      Buffer.from([0x22]),
      Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(y, 'base64url')]),
    ])
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 32]), this.credentialId, cose])
    const authData = Buffer.concat([this.#authData(rpId, 0x45), attested])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(authData),
    ])
    return this.#wrap({
      clientDataJSON: this.#clientData('webauthn.create', challenge, origin),
      attestationObject: attestationObject.toString('base64url'),
    })
  }

  use({ challenge, rpId, origin }: Asked) {
    this.#count += 1
    const clientDataJSON = this.#clientData('webauthn.get', challenge, origin)
    const authenticatorData = this.#authData(rpId, 0x05)
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), this.#keys.privateKey)
    return this.#wrap({
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.#userHandle,
    })
  }

  #authData(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#count)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
  }

  #clientData(type: string, challenge: string, origin: string): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }

  #wrap(response: object) {
    const id = this.credentialId.toString('base64url')
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }
}
