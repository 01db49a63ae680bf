import {
  WIDGET_EVENTS,
  type HandedTokens,
  type SelectionOptions,
  type WidgetSettings,
} from '../../protocol.js'
import { readTheme } from './read-theme.js'
import { contextFields, optionNames } from './send-context.js'
import { fill } from '../texts/fill.js'
import { pageTexts, textLanguage } from '../texts/texts.js'

/** What the page's developer gets to read, in the console and in `error` events. Not for clinicians. */

const settingNames: Record<keyof WidgetSettings, true> = {
  containerId: true,
  copyNoteButtonText: true,
  patientReference: true,
  language: true,
  hideTreatmentPlan: true,
  position: true,
  buttonColor: true,
  openButtonIcon: true,
  closeButtonIcon: true,
  isDraggable: true,
  isAlwaysOpen: true,
  width: true,
  height: true,
  cspNonce: true,
  fontHref: true,
  isMinifiedView: true,
  isMiniWidgetV2: true,
  minifiedViewSettings: true,
}

export function warnUnknown(what: string, given: object, known: readonly string[] = []): void {
  const unknown = Object.keys(given).filter((key) => !known.includes(key))
  if (unknown.length > 0) console.warn(fill(pageTexts.unknown, { what, names: unknown.join(', ') }))
}

export function warnUnknownSettings(settings: WidgetSettings): void {
  warnUnknown('settings', settings, Object.keys(settingNames))
  const { language = '' } = settings
  // The frame came in another one: there are no words in this.
  if (!language.toLowerCase().startsWith(language === '' ? '' : textLanguage))
    console.warn(fill(pageTexts.unknown, { what: 'language', names: language }))
  const { minifiedViewSettings, isMinifiedView, isMiniWidgetV2 } = settings
  if (minifiedViewSettings !== undefined && isMinifiedView !== true && isMiniWidgetV2 !== true)
    console.warn(
      fill(pageTexts.unknown, { what: 'settings without isMinifiedView', names: 'minifiedViewSettings' }),
    )
  const { ignored } = readTheme(minifiedViewSettings ?? {}, (property, value) =>
    CSS.supports(property, value),
  )
  if (ignored.length > 0)
    console.warn(fill(pageTexts.unknown, { what: 'minifiedViewSettings', names: ignored.join(', ') }))
}

export const warnUnknownEvent = (event: string): void =>
  warnUnknown('events of on()', { [event]: true }, WIDGET_EVENTS)

/** What a context says, and whether it is one, the service checks: `send-context.ts` leaves out what it refuses, and tells. */
export function readOptions({ context, ...options }: SelectionOptions): SelectionOptions {
  warnUnknown('options of selectClient()', options, optionNames.slice(0, 5))
  warnUnknown('noteOptions of selectClient()', options.noteOptions ?? {}, optionNames.slice(5))
  warnUnknown('context of selectClient()', Object(context) as object, contextFields)
  return context == null ? options : { ...options, context }
}

/** A text says what is wrong with them. */
export function readTokens(given: unknown): HandedTokens | string {
  const { AccessToken, RefreshToken, ExpiresIn } = (given ?? {}) as Partial<HandedTokens>
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  if (isText(AccessToken) && isText(RefreshToken) && Number(ExpiresIn) > 0) {
    return { AccessToken, RefreshToken, ExpiresIn: Number(ExpiresIn) }
  }
  const isCamelCase = Object.keys(given ?? {}).some((key) => /^(access|refresh)Token$|^expiresIn$/.test(key))
  return isCamelCase ? pageTexts.camelCaseTokens : pageTexts.noTokens
}

/** Whose they are, as the service wrote it into them; it asks that itself with each call. Null: no tokens of its making. */
export function readClinicianId({ AccessToken }: HandedTokens): string | null {
  try {
    const [, claims = ''] = AccessToken.replaceAll('-', '+').replaceAll('_', '/').split('.')
    return (JSON.parse(atob(claims)) as { sub: string }).sub
  } catch {
    return null
  }
}

export const explainPolicy = (): string => fill(pageTexts.microphoneBlocked, { origin: location.origin })
