import Pdf from 'pdfkit'
import { ownFile } from '../../kernel/own-files.js'
import type { NotePaper, PaperSection } from './note-paper.js'

/** Within the package: names and notes are not only in the letters that PDF readers bring. */
const plainFont = ownFile('fonts/DejaVuSans.ttf')
const boldFont = ownFile('fonts/DejaVuSans-Bold.ttf')

/** Points, of 72 an inch. */
const margin = 60
const footerHeight = 24
const textSize = 10
const smallSize = 8
const titleSize = 16
const sectionSize = 11.5
const ink = '#111111'
const faint = '#555555'
const alarm = '#9a1b1b'

/** A note as PDF. The same paper gives the same bytes. */
export async function typesetNote(paper: NotePaper): Promise<Buffer> {
  const pdf = new Pdf({
    size: 'LETTER',
    margins: { top: margin, left: margin, right: margin, bottom: margin + footerHeight },
    font: plainFont,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
    bufferPages: true,
    // No name of the client: file managers and search indexes show a title without opening the file.
    info: {
      Title: paper.title,
      Producer: 'Casenote',
      Creator: 'Casenote',
      CreationDate: new Date(paper.datedAt),
    },
  })
  const chunks: Buffer[] = []
  const whole = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  writeHead(pdf, paper)
  for (const section of paper.sections) writeSection(pdf, section)
  if (paper.addenda.length > 0) {
    pdf.moveDown(1.2).font(boldFont).fontSize(sectionSize).fillColor(ink).text('Added after it was signed')
    for (const addendum of paper.addenda) writeSection(pdf, addendum)
  }
  pdf.moveDown(1.5).font(plainFont).fontSize(smallSize).fillColor(faint).text(paper.origin)
  numberPages(pdf, paper)
  pdf.end()
  return whole
}

function writeHead(pdf: PDFKit.PDFDocument, { title, state, isDraft, facts }: NotePaper): void {
  pdf.font(boldFont).fontSize(titleSize).fillColor(ink).text(title)
  pdf
    .moveDown(0.2)
    .font(isDraft ? boldFont : plainFont)
    .fontSize(textSize)
    .fillColor(isDraft ? alarm : faint)
    .text(state)
  pdf.moveDown(0.8).fontSize(textSize)
  for (const { label, value } of facts) {
    pdf.font(plainFont).fillColor(faint).text(`${label}: `, { continued: true }).fillColor(ink).text(value)
  }
  const y = pdf.y + 8
  pdf
    .moveTo(margin, y)
    .lineTo(pdf.page.width - margin, y)
    .lineWidth(0.5)
    .strokeColor('#999999')
    .stroke()
  pdf.y = y + 8
}

function writeSection(pdf: PDFKit.PDFDocument, { title, content }: PaperSection): void {
  // A heading stays with its first lines.
  const roomLeft = pdf.page.height - pdf.page.margins.bottom - pdf.y
  if (roomLeft < 4 * sectionSize) pdf.addPage()
  pdf.moveDown(0.8).font(boldFont).fontSize(sectionSize).fillColor(ink).text(title)
  pdf.moveDown(0.2).font(plainFont).fontSize(textSize).text(content, { lineGap: 2 })
}

function numberPages(pdf: PDFKit.PDFDocument, { title, isDraft }: NotePaper): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index)
    // Below the margin, where text would otherwise begin a page of its own.
    const { bottom } = pdf.page.margins
    pdf.page.margins.bottom = 0
    pdf
      .font(plainFont)
      .fontSize(smallSize)
      .fillColor(faint)
      .text(
        `${title}${isDraft ? ' (not signed)' : ''} · ${index + 1} / ${count}`,
        margin,
        pdf.page.height - margin,
        { lineBreak: false },
      )
    pdf.page.margins.bottom = bottom
  }
}
