import type { ConsolePasskeyOffer, ConsolePasskeyQuestion } from '@casenote/contract'
/** Numbers and bytes travel as base64url in JSON, as WebAuthn Level 3 spells it; Safari 16 cannot translate them itself. */
const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')

const readDescriptor = ({ id, type }: ConsolePasskeyOffer['excludeCredentials'][number]) => ({
  id: fromBase64Url(id),
  type,
})

/** Passkeys need https, or the machine itself. */
export const hasPasskeys = (): boolean => globalThis.PublicKeyCredential !== undefined

/** Null: the person closed the browser's question, or it cannot. */
export async function makePasskey(options: ConsolePasskeyOffer): Promise<unknown> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: fromBase64Url(options.challenge),
    user: { ...options.user, id: fromBase64Url(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(readDescriptor),
  }
  const made = await ask(() => navigator.credentials.create({ publicKey }))
  if (made === null) return null
  const response = made.response as AuthenticatorAttestationResponse
  return {
    ...describe(made),
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      attestationObject: toBase64Url(response.attestationObject),
      transports: response.getTransports(),
    },
  }
}

export async function usePasskey(options: ConsolePasskeyQuestion): Promise<unknown> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...options,
    challenge: fromBase64Url(options.challenge),
    allowCredentials: options.allowCredentials.map(readDescriptor),
  }
  const used = await ask(() => navigator.credentials.get({ publicKey }))
  if (used === null) return null
  const response = used.response as AuthenticatorAssertionResponse
  return {
    ...describe(used),
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.authenticatorData),
      signature: toBase64Url(response.signature),
      ...(response.userHandle === null ? {} : { userHandle: toBase64Url(response.userHandle) }),
    },
  }
}

async function ask(open: () => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  try {
    return (await open()) as PublicKeyCredential | null
  } catch {
    return null // Browsers tell "cancelled" and "cannot" apart for nobody, so that pages learn nothing of the keys.
  }
}

const describe = (credential: PublicKeyCredential) => ({
  id: credential.id,
  rawId: toBase64Url(credential.rawId),
  type: credential.type,
  authenticatorAttachment: credential.authenticatorAttachment,
  clientExtensionResults: credential.getClientExtensionResults(),
})
