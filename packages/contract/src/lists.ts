import { Type, type Static, type TSchema } from 'typebox'

/** By contract part 8, unless the caller asks for another size in `Casenote-Page-Size`; no query parameter changes it. */
export const itemsPerPage = 10

/** A request header, so that whoever follows the contract to the letter never meets it. */
export const pageSizeHeader = 'Casenote-Page-Size'

/** A hundred clients or sessions are some 50 KB and a few milliseconds. */
export const pageSizeMax = 100

/** Which page is asked for, counted from 1, and how many items the pages have. */
export interface AskedPage {
  number: number
  size: number
}

/** Pages as the contract knows them, the first if none is named. */
export const pageOfTen = (number = 1): AskedPage => ({ number, size: itemsPerPage })

export const skippedBefore = ({ number, size }: AskedPage): number => (number - 1) * size

/** Null: neither absent nor a whole number of the range. */
export function readPageSize(header: unknown): number | null {
  if (header === undefined) return itemsPerPage
  if (typeof header !== 'string' || !/^[1-9]\d{0,2}$/.test(header)) return null
  const size = Number(header)
  return size <= pageSizeMax ? size : null
}

export const PageQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      // The largest integer that survives JSON in every language.
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      description: 'Page number; iterate until `meta.currentPage` equals `meta.totalPages`',
    }),
  ),
})

export const PageMeta = Type.Object(
  {
    totalItems: Type.Integer({ minimum: 0 }),
    totalPages: Type.Integer({ minimum: 1, description: '1 for an empty list' }),
    itemsPerPage: Type.Integer({
      minimum: 1,
      maximum: pageSizeMax,
      description: `${itemsPerPage}, unless \`${pageSizeHeader}\` asked for another size`,
      examples: [itemsPerPage],
    }),
    currentPage: Type.Integer({ minimum: 1 }),
  },
  { $id: 'PageMeta' },
)
export type PageMeta = Static<typeof PageMeta>

export const PageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item, { maxItems: pageSizeMax }), meta: PageMeta })

export interface Page<Item> {
  data: Item[]
  meta: PageMeta
}

export function pageOf<Item>(data: Item[], totalItems: number, { number, size }: AskedPage): Page<Item> {
  const totalPages = Math.max(1, Math.ceil(totalItems / size))
  return { data, meta: { totalItems, totalPages, itemsPerPage: size, currentPage: number } }
}
