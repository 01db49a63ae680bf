import english from '../src/frame/texts/en.json' with { type: 'json' }

/**
 * What the frame's modules ask of a browser, as far as rules are tested without one.
 * The texts are read when a module is imported, so this is imported first.
 */
const toHref = (pack: string): string => `data:application/json,${encodeURIComponent(pack)}`
let href = toHref(JSON.stringify(english))
const page = {
  querySelector: () => ({ href }),
  // Plays nothing, so that no file is refused for its sound.
  createElement: () => ({ canPlayType: () => '' }),
  addEventListener: () => {},
  removeEventListener: () => {},
  visibilityState: 'visible',
}
const globals = {
  document: page,
  navigator: {},
  addEventListener: () => {},
  removeEventListener: () => {},
}
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true })

/** Another language pack, before anything of the frame is imported. */
export const readTextsOf = (pack: string): void => {
  href = toHref(pack)
}
