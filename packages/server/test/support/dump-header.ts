/** As pg_dump 16 and later write it. */
export function makeDumpHeader(begun: Date): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(5)
    bytes.writeUInt32LE(value, 1)
    return bytes
  }
  const time = [
    begun.getSeconds(),
    begun.getMinutes(),
    begun.getHours(),
    begun.getDate(),
    begun.getMonth(),
    begun.getFullYear() - 1_900,
    0,
  ]
  return Buffer.concat([
    Buffer.from('PGDMP'),
    Buffer.from([1, 16, 0, 4, 8, 1, 1]),
    ...time.map(number),
    Buffer.from('rows'),
  ])
}
