import { describePartnerApi } from '../../src/main/describe-api.js'

type Operations = Record<string, Record<string, { operationId: string; tags: string[] }>>

const operations = Object.values((describePartnerApi() as { paths: Operations }).paths).flatMap((methods) =>
  Object.values(methods),
)

/** The method of the SDKs that stands for an operation: `progressNote.read` is `progressNotes`, `read`. */
export function methodOf(operation: string): [property: string, verb: string] {
  const [tag = ''] = operations.find(({ operationId }) => operationId === operation)?.tags ?? []
  const property = tag.toLowerCase().replaceAll(/ [a-z]/g, (start) => start.slice(1).toUpperCase())
  return [property, operation.split('.')[1] ?? '']
}

/** A file is no value: it is downloaded with any HTTP client, as docs/export.md says. */
export const hasMethod = ({ operation }: { operation: string }): boolean =>
  operation !== 'clientExport.download'
