/**
 * Returns the names that the code of a new feature uses, derived from `room`, the name of its folders. For 'reading-lists'
 * these are the table reading_lists, the identifiers readingLists and readingList, the type ReadingList, and the labels
 * 'Reading lists' and 'Reading list'. Throws an error for a name that is not in kebab-case or not in the plural.
 */
export function roomNames(room) {
  if (!/^[a-z]{2,}(-[a-z]{2,})*$/.test(room ?? '') || !room.endsWith('s'))
    throw new Error('Usage: npm run new:room <name>, in kebab-case and the plural, as in reading-lists')
  const singular = room.endsWith('ies') ? `${room.slice(0, -3)}y` : room.slice(0, -1)
  const camel = (name) => name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
  const upper = (name) => name[0].toUpperCase() + name.slice(1)
  return {
    room,
    table: room.replaceAll('-', '_'),
    plural: camel(room),
    single: camel(singular),
    Plural: upper(camel(room)),
    Single: upper(camel(singular)),
    label: upper(room.replaceAll('-', ' ')),
    Label: upper(singular.replaceAll('-', ' ')),
    words: room.replaceAll('-', ' '),
    word: singular.replaceAll('-', ' '),
  }
}
