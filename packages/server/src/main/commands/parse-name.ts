import { InvalidArgumentError } from 'commander'

/** Shared by everything that the operator names. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 200) throw new InvalidArgumentError('It must have 1 to 200 characters.')
  return name
}
