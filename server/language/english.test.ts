import { expect, it } from 'vitest'
import { isEnglishQuestion } from './english.ts'

it.each([
  'Do solar lamps raise study time?',
  'Can acupuncture relieve chronic lower back pain?',
  'Is laparoscopic appendectomy safer than open surgery?',
  'Alderbeck vs Dunworth: where did vitamin D tablets cut falls more?',
  'Compare Marrley with Jarnstow regarding wound infections.',
  'Compare aspirin and clopidogrel.',
  'What was the dose?',
  'Was more alcohol rub used per patient-day in Lindworth or Garfield?',
  'Do statins help?',
  'Can probiotics prevent diarrhoea?',
  'Do patients die of sepsis?',
  'List adverse events.',
  'Do de novo mutations cause autism?',
  'Can van der Waals forces explain adhesion?',
  'Is la Niña linked to drought?',
  'Do naïve Bayes classifiers work?',
  'Do β-blockers reduce mortality?',
  'Can Sjögren syndrome cause fatigue?',
])('%j is an English question', (question) => {
  expect(isEnglishQuestion(question)).toBe(true)
})

it.each([
  '¿Cómo es el suelo de la finca?',
  'Compare los efectos de la cafeína y del placebo.',
  'A que se debe la caida?',
  'Wie lange dauerte die Studie?',
  'Was kostet die Pflanzung eines Baumes?',
  'Was war der Effekt in der Studie?',
  'Was hat die Studie in Bern an Neuem gezeigt?',
  'List man in der Studie etwas?',
  'Is er bewijs dat slaap helpt?',
  'Is er consensus over slaap en geheugen?',
  'Was de dosis in de kliniek hoger?',
  'Que mesure le capteur ?',
  'Compare les effets de la caféine et du placebo.',
  'Compare caféine et placebo.',
  'Compare leurs conclusions principales.',
  'Y a-t-il un consensus sur la sieste chez les travailleurs postés ?',
  'Quais são os efeitos da cafeína, do álcool e do tabaco?',
  'Do ponto de vista dos autores, qual é o melhor tratamento?',
  'Compare os efeitos da cafeína com os do placebo.',
  'Quantos pacientes participaram do estudo?',
  'A che punto è la ricerca in Italia?',
  'In che modo il sonno migliora la memoria?',
  'Do jakich wniosków doszli autorzy badania nad drzemkami?',
  'Do ilu szpitali trafili pacjenci?',
  'Do jaké míry zlepšuje spánek paměť?',
  'Do kdy trvalo sledovani?',
  'Do đâu giấc ngủ ngắn cải thiện trí nhớ?',
  'Can thiệp có hiệu quả không?',
  '논문의 결론은 무엇인가요?',
])('%j is not an English question', (question) => {
  expect(isEnglishQuestion(question)).toBe(false)
})
