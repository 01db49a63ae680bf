import { itemsPerPage, type AskedPage } from '@casenote/contract'

/**
 * The name under which a page's statement is prepared. Its text holds the size, since a plan that does not know it may sort where
 * it could walk an index; pages of ten are nearly all there are, and other sizes are planned each time instead of being kept in a
 * hundred variants by every connection.
 */
export const namedForPage = (name: string, { size }: AskedPage): { name?: string } =>
  size === itemsPerPage ? { name } : {}
