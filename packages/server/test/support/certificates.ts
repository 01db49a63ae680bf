import { webcrypto } from 'node:crypto'
// oxlint-disable-next-line import/no-unassigned-import -- The next one asks for what it does when it is loaded.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

const keyKind = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const makeKeys = () => webcrypto.subtle.generateKey(keyKind, true, ['sign', 'verify'])

export interface Authority {
  sign(name: string, publicKey: webcrypto.CryptoKey): Promise<string>
  /** Its own certificate. */
  pem: string
}

export async function makeAuthority(commonName: string): Promise<Authority> {
  const keys = await makeKeys()
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    signingAlgorithm: keyKind,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  const sign = async (name: string, publicKey: webcrypto.CryptoKey): Promise<string> => {
    const made = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: own.subject,
      publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: keyKind,
      extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
    })
    return `${made.toString('pem')}\n`
  }
  return { sign, pem: `${own.toString('pem')}\n` }
}

/** In PEM, both. */
export async function makeCertificate(
  authority: Authority,
  name: string,
): Promise<{ certificate: string; key: string }> {
  const keys = await makeKeys()
  const certificate = await authority.sign(name, keys.publicKey)
  const bytes = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { certificate, key: `${x509.PemConverter.encode(bytes, 'PRIVATE KEY')}\n` }
}
