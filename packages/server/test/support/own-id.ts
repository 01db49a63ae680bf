import type { TestPartner } from './test-service.js'

/** Where a parameter is called just `id`, the path tells of what. */
const nouns: Record<string, keyof TestPartner> = {
  'assessment-scores': 'scoreId',
  'webhook-endpoints': 'endpointId',
  'webhook-deliveries': 'deliveryId',
}

/** A test partner's own id for a parameter of a path. */
export function ownIdOf(partner: TestPartner, path: string, name: string): string {
  const [, noun = ''] = path.split('/')
  const found = partner[(name === 'id' ? nouns[noun] : name) as keyof TestPartner]
  if (typeof found !== 'string') throw new Error(`no id of the test partner fits ${name} in ${path}`)
  return found
}
