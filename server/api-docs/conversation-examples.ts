/** Example request bodies of the routes for conversations, for the API documentation. The key is method and path. */
export const CONVERSATION_EXAMPLES: Record<string, unknown> = {
  'POST /api/projects/{id}/conversations': { title: 'Naps in old age', visibility: 'project' },
  'PATCH /api/conversations/{id}': { title: 'Naps', visibility: 'project' },
  'POST /api/conversations/{id}/messages': {
    question: 'Do naps improve memory?',
    scope: { kind: 'tags', tags: ['naps'] },
    leave_out_retracted: true,
  },
  'PUT /api/messages/{id}/feedback': { helpful: true, note: '' },
  'POST /api/projects/{id}/saved-searches': { name: 'Naps', query: { q: 'naps and recall' }, notify: false },
  'PATCH /api/saved-searches/{id}': { name: 'Naps and recall', notify: true },
  'PUT /api/evidence/{id}/place': { quote: 'Naps helped older adults.', prefix: '', suffix: '', page: 1 },
}
