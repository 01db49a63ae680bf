import { CHECK_MODES, SIGNING_CHECKS, type CheckMode, type CheckModes } from '@casenote/contract'

/** The surface on which a signature is asked for. */
export type SigningSurface = 'widget' | 'partner_api'

const defaultMode: CheckMode = 'warn'

/** Each check's mode, as the partner has set it; a check that is not named warns. */
export const readCheckModes = (kept: Readonly<Record<string, string>>): CheckModes =>
  Object.fromEntries(
    SIGNING_CHECKS.map((code) => [code, CHECK_MODES.find((mode) => mode === kept[code]) ?? defaultMode]),
  ) as CheckModes

export const isBlocking = (mode: CheckMode, surface: SigningSurface): boolean =>
  mode === 'block_everywhere' || (mode === 'block_in_widget' && surface === 'widget')
