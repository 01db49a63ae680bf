/** Scripts ask for `--json` and get one document; people get lines. */
export function print(isJson: boolean, document: unknown, lines: readonly string[]): void {
  process.stdout.write(isJson ? `${JSON.stringify(document, null, 2)}\n` : `${lines.join('\n')}\n`)
}

/** Columns as wide as their longest cell. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** `name  value` lines, the names padded to one width. */
export function formatFields(fields: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}
