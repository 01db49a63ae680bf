import { ClinicianTokens, SignInCode, SignInRequest, SignInStarted } from '@casenote/contract'
import { AddressLimits } from '../../../http/address-limits.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import { refuse } from '../../../kernel/refuse.js'
import type { TokenParts } from '../tokens/token-parts.js'
import { redeemCode } from './redeem-code.js'
import { requestCode } from './request-code.js'

/** Signing in without a partner's backend (decision 0030). */
export function registerSignIn(api: WidgetApi, parts: TokenParts & { sendsMail: boolean }): void {
  const { clock } = parts
  const limits = new AddressLimits(clock)
  api.open({
    operation: 'widget.requestCode',
    method: 'POST',
    path: '/sign-in',
    body: SignInRequest,
    answer: { status: 200, schema: SignInStarted },
    isOfFrame: true,
    handle: async ({ body, address, requestId, suspect }) => {
      // Nobody has proved who they are; the page may be one that the partner has not switched it on for.
      suspect({ tenant: { tenantId: body.partnerId }, actor: { kind: 'clinician', id: null } })
      if (!parts.sendsMail)
        throw refuse.forbidden('own_sign_in_off', 'Signing in by e-mail is not switched on for this page')
      // Each costs a try, whatever comes of it: nobody walks through a list of addresses.
      const { waitSeconds } = await limits.attempt(address, async () => null)
      if (waitSeconds !== null)
        throw refuse.tooMany('too_many_tries', 'Too many tries from this address', waitSeconds)
      return requestCode({ ...parts, keys: parts.keysFor(address) }, body, { requestId, address })
    },
  })
  api.open({
    operation: 'widget.signIn',
    method: 'POST',
    path: '/sign-in/code',
    body: SignInCode,
    answer: { status: 200, schema: ClinicianTokens },
    isOfFrame: true,
    handle: async ({ body, address, requestId, suspect }) => {
      const asked = { ...parts, keys: parts.keysFor(address) }
      const { result, isSentAway } = await limits.guard(address, () =>
        redeemCode(asked, body, { requestId, address, nowMs: clock.nowMs() }),
      )
      if (isSentAway) throw refuse.tooMany('too_many_tries', 'Too many tries from this address', 1)
      if (result !== null) return result
      suspect({ tenant: { tenantId: body.partnerId }, actor: { kind: 'clinician', id: null } })
      throw refuse.unauthorized('sign_in_code_rejected', 'The code is not accepted')
    },
  })
}
