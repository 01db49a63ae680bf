import {
  ConsoleAuthenticatorKey,
  ConsoleLinkOpened,
  ConsolePasskeyOffer,
  ConsolePasskeyQuestion,
  ConsolePasskeys,
} from '@casenote/contract'
import { Type } from 'typebox'
import {
  addFurtherPasskey,
  addPasskey,
  askForPasskey,
  choosePassword,
  confirmByPasskey,
  confirmByPassword,
  confirmPassword,
  endSession,
  listOwnPasskeys,
  offerPasskey,
  readConsoleScope,
  redeemConsoleLink,
  removeOwnPasskey,
  signInByPasskey,
  signInByPassword,
  type ConsoleSource,
  type OpenSession,
} from '../../features/console/index.js'
import { networkOf } from '../../http/address-limits.js'
import type { ConsoleApi } from '../../http/console-api.js'
import { sealAddress } from '../../kernel/audit/index.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleParts } from './console-parts.js'

/** One sentence for all: it never tells which part was wrong, nor that there is such a user. */
const wrong = 'That did not match, or was tried too often. Wait a little, and try again.'

const unfit = 'The browser’s answer did not fit. Try once more.'

const passwordAndCode = {
  password: Type.String({ minLength: 1, maxLength: 1_000 }),
  code: Type.String({ minLength: 1, maxLength: 20 }),
}

const Credential = Type.Object({ credential: Type.Object({}, { maxProperties: 20 }) })

type From = (request: {
  address: string
  requestId: string
}) => (scope: TenantScope) => Promise<ConsoleSource>

/** Ways in and out: a link, then a password with a phone's code, or a passkey. */
export function registerSignIn(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  const { realm, keys } = parts
  const from: From =
    ({ address, requestId }) =>
    async (scope) => ({
      requestId,
      ...(realm.kind === 'operator' ? {} : { from: sealAddress(await keys.get(scope), address) }),
    })
  registerEnrolment(api, parts, from)
  registerWaysIn(api, parts, from)
  registerConfirmation(api, parts, from)
  registerOwnPasskeys(api, parts, from)
}

function registerEnrolment(
  api: ConsoleApi<OpenSession>,
  { realm, countNobody }: ConsoleParts,
  from: From,
): void {
  api.route({
    operation: 'console.openLink',
    method: 'POST',
    path: '/link',
    who: 'anyone',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    answer: ConsoleLinkOpened,
    refusal: 'This link was used, is too old, or never was. Ask for another one.',
    handle: async ({ body, setToken, requestId, address, suspect }) => {
      const opened = await redeemConsoleLink(realm, body.token, { requestId })
      if (opened === null) {
        // Whose link it was nobody knows any more, but of which tenant it says itself; an operator's says of none.
        const tenant = realm.kind === 'partner' ? readConsoleScope('partner', body.token) : null
        if (tenant === null) countNobody(address)
        else suspect({ tenant, actor: { kind: 'partner', id: tenant.tenantId } })
        return null
      }
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
    answer: ConsoleAuthenticatorKey,
    handle: ({ session, body, host, address }) =>
      choosePassword(realm, session, { password: body.password, network: networkOf(address) }, host),
  })
  api.route({
    operation: 'console.setPassword',
    method: 'POST',
    path: '/enrol/totp',
    who: 'enrolling',
    body: Type.Object({ code: Type.String({ minLength: 6, maxLength: 20 }) }),
    answer: null,
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
    answer: ConsolePasskeyOffer,
    handle: async ({ session, host }) => offerPasskey(realm, session, host),
  })
  api.route({
    operation: 'console.addPasskey',
    method: 'POST',
    path: '/enrol/passkey',
    who: 'enrolling',
    body: Credential,
    answer: null,
    refusal: unfit,
    handle: async (context) => {
      const { session, host, setToken, rawBody } = context
      const made = { credential: readCredential(rawBody), host }
      const token = await addPasskey(realm, session, made, await from(context)(session.scope))
      if (token === null) return null
      setToken(token)
      return undefined
    },
  })
}

function registerWaysIn(
  api: ConsoleApi<OpenSession>,
  { realm, countNobody }: ConsoleParts,
  from: From,
): void {
  type Context = Parameters<From>[0] & { setToken: (token: string) => void }
  /** Counts who was refused as nobody: of somebody it was asked where they come from, for the entry in the log. */
  const letIn = async (
    context: Context,
    signIn: (sourceOf: ReturnType<From>) => Promise<string | null>,
  ): Promise<null | undefined> => {
    let isSomebody = false
    const token = await signIn((scope) => {
      isSomebody = true
      return from(context)(scope)
    })
    if (token !== null) {
      context.setToken(token)
      return undefined
    }
    if (!isSomebody) countNobody(context.address)
    return null
  }
  api.route({
    operation: 'console.signIn',
    method: 'POST',
    path: '/sign-in',
    who: 'anyone',
    body: Type.Object({ userName: Type.String({ minLength: 1, maxLength: 200 }), ...passwordAndCode }),
    answer: null,
    refusal: wrong,
    handle: async (context) => {
      const { body } = context
      const code = body.code.replaceAll(/\s/g, '')
      const given = { ...body, code, network: networkOf(context.address) }
      return letIn(context, (sourceOf) => signInByPassword(realm, given, sourceOf))
    },
  })
  api.route({
    operation: 'console.askForPasskey',
    method: 'POST',
    path: '/sign-in/passkey/options',
    who: 'anyone',
    answer: ConsolePasskeyQuestion,
    handle: async ({ host }) => askForPasskey(realm, host),
  })
  api.route({
    operation: 'console.signInByPasskey',
    method: 'POST',
    path: '/sign-in/passkey',
    who: 'anyone',
    body: Credential,
    answer: null,
    refusal: wrong,
    handle: async (context) => {
      const used = { credential: readCredential(context.rawBody), host: context.host }
      return letIn(context, (sourceOf) => signInByPasskey(realm, used, sourceOf))
    },
  })
  api.route({
    operation: 'console.signOut',
    method: 'POST',
    path: '/sign-out',
    who: 'user',
    answer: null,
    handle: async (context) => {
      await endSession(realm, context.session, await from(context)(context.session.scope))
      context.setToken(null)
    },
  })
}

/** Once more, before what is dangerous. */
function registerConfirmation(api: ConsoleApi<OpenSession>, { realm }: ConsoleParts, from: From): void {
  api.route({
    operation: 'console.confirm',
    method: 'POST',
    path: '/confirm',
    who: 'user',
    body: Type.Object(passwordAndCode),
    answer: null,
    refusal: wrong,
    handle: async (context) => {
      const { session, body, address } = context
      const given = { ...body, code: body.code.replaceAll(/\s/g, ''), network: networkOf(address) }
      const isConfirmed = await confirmByPassword(realm, session, given, from(context))
      return isConfirmed === null ? null : undefined
    },
  })
  api.route({
    operation: 'console.confirmByPasskey',
    method: 'POST',
    path: '/confirm/passkey',
    who: 'user',
    body: Credential,
    answer: null,
    refusal: wrong,
    handle: async (context) => {
      const used = { credential: readCredential(context.rawBody), host: context.host }
      const isConfirmed = await confirmByPasskey(realm, context.session, used, from(context))
      return isConfirmed === null ? null : undefined
    },
  })
}

function registerOwnPasskeys(api: ConsoleApi<OpenSession>, { realm }: ConsoleParts, from: From): void {
  api.route({
    operation: 'console.listPasskeys',
    method: 'GET',
    path: '/me/passkeys',
    who: 'user',
    answer: ConsolePasskeys,
    handle: async ({ session }) => ({ data: await listOwnPasskeys(realm, session), next: null }),
  })
  api.route({
    operation: 'console.offerFurtherPasskey',
    method: 'POST',
    path: '/me/passkeys/options',
    who: 'user',
    needsFresh: true,
    answer: ConsolePasskeyOffer,
    handle: ({ session, host }) => offerPasskey(realm, session, host),
  })
  api.route({
    operation: 'console.addFurtherPasskey',
    method: 'POST',
    path: '/me/passkeys',
    who: 'user',
    needsFresh: true,
    body: Credential,
    answer: null,
    handle: async (context) => {
      const { session, host, rawBody } = context
      const made = { credential: readCredential(rawBody), host }
      const source = await from(context)(session.scope)
      if ((await addFurtherPasskey(realm, session, made, source)) === null)
        throw refuse.conflict('console_passkey_unfit', unfit)
    },
  })
  api.route({
    operation: 'console.removePasskey',
    method: 'POST',
    path: '/me/passkeys/{passkeyId}/remove',
    who: 'user',
    needsFresh: true,
    answer: null,
    handle: async (context) => {
      const { session, host, params } = context
      const source = await from(context)(session.scope)
      await removeOwnPasskey(realm, session, { id: params.passkeyId, host }, source)
    },
  })
}

/** As the browser sent it: what is in it depends on the browser, and the check of it looks at what it needs. */
const readCredential = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'credential' in body ? body.credential : undefined
