/** What the free-text search compares: case does not count (ruling 2), and neither do compatibility forms. */
export const foldName = (name: string): string => name.normalize('NFKC').toLowerCase().trim()

export const foldFullName = (person: { firstName: string | null; lastName: string }): string =>
  foldName(`${person.firstName ?? ''} ${person.lastName}`)
