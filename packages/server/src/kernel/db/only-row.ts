/** The row of a statement that always gives one: an insert, a count. Where it gave none, the fault is ours. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a statement that always gives a row gave none')
  return row
}
