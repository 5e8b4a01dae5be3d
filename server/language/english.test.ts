import { expect, it } from 'vitest'
import { isEnglishQuestion } from './english.ts'

it.each([
  'Do solar lamps raise study time?',
  'Can acupuncture relieve chronic lower back pain?',
  'Is laparoscopic appendectomy safer than open surgery?',
  'Alderbeck vs Dunworth: where did vitamin D tablets cut falls more?',
  'Compare Marrley with Jarnstow regarding wound infections.',
  'What was the dose?',
])('%j is an English question', (question) => {
  expect(isEnglishQuestion(question)).toBe(true)
})

it.each([
  '¿Cómo es el suelo de la finca?',
  'Wie lange dauerte die Studie?',
  'Was kostet die Pflanzung eines Baumes?',
  'Is er bewijs dat slaap helpt?',
  'Que mesure le capteur ?',
  '논문의 결론은 무엇인가요?',
])('%j is not an English question', (question) => {
  expect(isEnglishQuestion(question)).toBe(false)
})
