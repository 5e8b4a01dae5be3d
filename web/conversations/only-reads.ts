/** The sentence in place of the question field for a member who may not ask questions. */
export const ONLY_READS =
  'You may read the conversations of this project but not ask questions. Ask an owner of the project for another role.'
