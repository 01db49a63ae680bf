import { Type } from 'typebox'
import {
  addPasskey,
  askForPasskey,
  choosePassword,
  confirmPassword,
  endSession,
  offerPasskey,
  redeemConsoleLink,
  signInByPasskey,
  signInByPassword,
  type ConsoleSource,
  type OpenSession,
} from '../../features/console/index.js'
import { networkOf } from '../../http/address-limits.js'
import type { ConsoleApi } from '../../http/console-api.js'
import { sealAddress } from '../../kernel/audit/index.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleParts } from './console-parts.js'

/** One sentence for all: it never tells which part was wrong, nor that there is such a user. */
const wrong = 'That did not match, or was tried too often. Wait a little, and try again.'

const Credential = Type.Object({ credential: Type.Object({}, { maxProperties: 20 }) })

/** Ways in and out: a link, then a password with a phone's code, or a passkey. */
export function registerSignIn(api: ConsoleApi<OpenSession>, { realm, keys }: ConsoleParts): void {
  const from =
    (request: { address: string; requestId: string }) =>
    async (scope: TenantScope): Promise<ConsoleSource> => ({
      requestId: request.requestId,
      ...(realm.kind === 'operator' ? {} : { from: sealAddress(await keys.get(scope), request.address) }),
    })

  api.route({
    operation: 'console.openLink',
    method: 'POST',
    path: '/link',
    who: 'anyone',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    refusal: 'This link was used, is too old, or never was. Ask for another one.',
    handle: async ({ body, setToken, requestId }) => {
      const opened = await redeemConsoleLink(realm, body.token, { requestId })
      if (opened === null) return null
      setToken(opened.token)
      return { userName: opened.userName }
    },
  })
  api.route({
    operation: 'console.choosePassword',
    method: 'POST',
    path: '/enrol/password',
    who: 'enrolling',
    body: Type.Object({ password: Type.String({ minLength: 12, maxLength: 1_000 }) }),
    handle: ({ session, body, host, address }) =>
      choosePassword(realm, session, { password: body.password, network: networkOf(address) }, host),
  })
  api.route({
    operation: 'console.setPassword',
    method: 'POST',
    path: '/enrol/totp',
    who: 'enrolling',
    body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 20 }) }),
    refusal: 'The code is not of this moment. Look again, and mind the clock of your phone.',
    handle: async (context) => {
      const { session, body, setToken } = context
      const code = body.code.replaceAll(/\s/g, '')
      const token = await confirmPassword(realm, session, code, await from(context)(session.scope))
      if (token === null) return null
      setToken(token)
      return undefined
    },
  })
  api.route({
    operation: 'console.offerPasskey',
    method: 'POST',
    path: '/enrol/passkey/options',
    who: 'enrolling',
    handle: async ({ session, host }) => offerPasskey(realm, session, host),
  })
  api.route({
    operation: 'console.addPasskey',
    method: 'POST',
    path: '/enrol/passkey',
    who: 'enrolling',
    body: Credential,
    refusal: 'The browser’s answer did not fit. Try once more.',
    handle: async (context) => {
      const { session, host, setToken, rawBody } = context
      const made = { credential: readCredential(rawBody), host }
      const token = await addPasskey(realm, session, made, await from(context)(session.scope))
      if (token === null) return null
      setToken(token)
      return undefined
    },
  })
  api.route({
    operation: 'console.signIn',
    method: 'POST',
    path: '/sign-in',
    who: 'anyone',
    body: Type.Object({
      userName: Type.String({ minLength: 1, maxLength: 200 }),
      password: Type.String({ minLength: 1, maxLength: 1_000 }),
      code: Type.String({ minLength: 1, maxLength: 20 }),
    }),
    refusal: wrong,
    handle: async (context) => {
      const { body, setToken } = context
      const code = body.code.replaceAll(/\s/g, '')
      const given = { ...body, code, network: networkOf(context.address) }
      const token = await signInByPassword(realm, given, from(context))
      if (token === null) return null
      setToken(token)
      return undefined
    },
  })
  api.route({
    operation: 'console.askForPasskey',
    method: 'POST',
    path: '/sign-in/passkey/options',
    who: 'anyone',
    handle: async ({ host }) => askForPasskey(realm, host),
  })
  api.route({
    operation: 'console.signInByPasskey',
    method: 'POST',
    path: '/sign-in/passkey',
    who: 'anyone',
    body: Credential,
    refusal: wrong,
    handle: async (context) => {
      const used = { credential: readCredential(context.rawBody), host: context.host }
      const token = await signInByPasskey(realm, used, from(context))
      if (token === null) return null
      context.setToken(token)
      return undefined
    },
  })
  api.route({
    operation: 'console.signOut',
    method: 'POST',
    path: '/sign-out',
    who: 'user',
    handle: async (context) => {
      await endSession(realm, context.session, await from(context)(context.session.scope))
      context.setToken(null)
    },
  })
}

/** As the browser sent it: what is in it depends on the browser, and the check of it looks at what it needs. */
const readCredential = (body: unknown): unknown => (body as { credential: unknown }).credential
