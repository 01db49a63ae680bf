import { Type, type Static, type TSchema } from 'typebox'

/** Fixed by contract part 8: no parameter changes it. */
export const itemsPerPage = 10

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
    itemsPerPage: Type.Literal(itemsPerPage),
    currentPage: Type.Integer({ minimum: 1 }),
  },
  { $id: 'PageMeta' },
)
export type PageMeta = Static<typeof PageMeta>

export const PageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ data: Type.Array(item, { maxItems: itemsPerPage }), meta: PageMeta })

export interface Page<Item> {
  data: Item[]
  meta: PageMeta
}

export function pageOf<Item>(data: Item[], totalItems: number, currentPage: number): Page<Item> {
  const totalPages = Math.max(1, Math.ceil(totalItems / itemsPerPage))
  return { data, meta: { totalItems, totalPages, itemsPerPage, currentPage } }
}
