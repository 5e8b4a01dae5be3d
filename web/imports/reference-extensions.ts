/** Extensions of the files that can be imported as references. */
export const REFERENCE_EXTENSIONS = [
  '.bib',
  '.bibtex',
  '.ris',
  '.nbib',
  '.xml',
  '.enw',
  '.txt',
  '.ciw',
  '.isi',
  '.json',
  '.csv',
  '.tsv',
] as const

/** Returns true if the name of a file has the extension of a reference file. */
export const isReferenceFile = ({ name }: File): boolean =>
  REFERENCE_EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension))
