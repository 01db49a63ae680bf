const colourCodes = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const
export type Paint = (colour: keyof typeof colourCodes, text: string) => string

export const makePaint =
  (isColoured: boolean): Paint =>
  (colour, text) =>
    isColoured ? `\u001B[${colourCodes[colour]}m${text}\u001B[0m` : text

/** With a terminal, unless https://no-color.org is asked for. */
export const isColourWanted = (isTty: boolean, env: NodeJS.ProcessEnv): boolean =>
  isTty && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'

/** For text that may come from anybody: escape sequences in it must not reach the terminal. */
export const escapeControls = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
