/** Given names that people have, surnames that nobody has: plausible in a list, and clearly invented. */
const firstNames = (
  'Juniper Caspian Odette Bartholomew Joanna Amir Beatriz Chidi Dalia Emeka Freya Gustavo Hana Isolde Jamal Keiko ' +
  'Leopold Marisol Nikolai Oksana Priya Quentin Rosalind Søren Tamsin Uriel Vesna Wendell Xiomara Yusuf Zora Björn'
).split(' ')
const lastNames = (
  "Testwell,Sampleton,Mockingham,Fixture,Placeholder,Smithsample,Demoré,Exampleby,Stubbs-Null,O'Fixture,Draftworth," +
  'Trialgate,Loremont,Ipsumova,Dummeling,Probewick,Sandboxer,Fakenham-Test,Specimen,Rehearsal,Notareal,van der Mock,Madeup'
).split(',')

interface Person {
  firstName: string
  lastName: string
  dateOfBirth: string
  email: string
  phoneNumber: string
  externalId: string
}

/** The same person each time. Addresses at example.com and numbers reserved for fiction reach nobody. */
export function inventPerson(clinic: string, index: number): Person {
  const firstName = firstNames[index % firstNames.length] ?? ''
  const lastName = lastNames[(index * 7 + clinic.length) % lastNames.length] ?? ''
  const slug = clinic.toLowerCase().replaceAll(/[^a-z]+/g, '-')
  const day = new Date(Date.UTC(1941 + ((index * 13) % 68), (index * 5) % 12, 1 + ((index * 11) % 28)))
  // 555-0100 to 555-0199 are reserved; area codes give each hundred clients their own.
  const areaCode = 202 + Math.floor(index / 100)
  return {
    firstName,
    lastName,
    dateOfBirth: day.toISOString().slice(0, 10),
    email: `client${index + 1}.${slug}@example.com`,
    phoneNumber: `+1${areaCode}5550${100 + (index % 100)}`,
    externalId: `${slug}-${String(index + 1).padStart(4, '0')}`,
  }
}
