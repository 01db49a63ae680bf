/** Screens of one tenant, and those of the whole installation, which operators alone have. */
export const TENANT_SCREENS = [
  'overview',
  'sessions',
  'deliveries',
  'requests',
  'keys',
  'usage',
  'people',
  'audit',
] as const
export const OPERATOR_SCREENS = ['tenants', 'health'] as const
/** Screens of whoever is signed in. */
export const OWN_SCREENS = ['account'] as const

export type TenantScreen = (typeof TENANT_SCREENS)[number]
type TenantlessScreen = (typeof OPERATOR_SCREENS)[number] | (typeof OWN_SCREENS)[number]
export type Screen = TenantScreen | TenantlessScreen

const tenantless: readonly TenantlessScreen[] = [...OPERATOR_SCREENS, ...OWN_SCREENS]

/** Where one is: `#/{tenant}/sessions/{id}?status=failed`, or `#/health`. It stands after the `#`: no server gets to see it. */
export interface Place {
  tenantId: string | null
  screen: Screen
  id: string | null
  filters: Readonly<Record<string, string>>
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string | undefined): name is Name =>
  names.includes(name as Name)

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [first = '', second, id] = path.split('/').map(decode)
  const filters = Object.fromEntries(new URLSearchParams(query))
  if (isOneOf(tenantless, first)) return { tenantId: null, screen: first, id: null, filters }
  const screen = isOneOf(TENANT_SCREENS, second) ? second : 'overview'
  return { tenantId: first === '' ? null : first, screen, id: id || null, filters }
}

/** What somebody typed into the address bar may be no encoding at all. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function toHash({ tenantId, screen, id, filters }: Place): string {
  const parts = isOneOf(tenantless, screen) ? [screen] : [tenantId, screen, id]
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const query = new URLSearchParams(given).toString()
  const path = parts
    .flatMap((part) => (part === null || part === '' ? [] : [encodeURIComponent(part)]))
    .join('/')
  return `#/${path}${query === '' ? '' : `?${query}`}`
}
