import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuestion, detectLanguage } from './check-question.ts';

describe('the language of a question to an English database', () => {
  it.each<[string, readonly string[]]>([
    [
      'de',
      [
        'Umsatz pro Monat im Jahr 2024',
        'Wie viele Kunden haben wir in Bayern?',
        'Summe der Rechnungen im März',
      ],
    ],
    [
      'fr',
      [
        'Combien de clients avons-nous à Paris ?',
        'chiffre d’affaires par mois',
        'livres par auteur pour Lyon',
      ],
    ],
    ['es', ['¿Cuántos clientes tenemos en Madrid?', 'ventas por mes en 2024', 'proveedores sin pedidos']],
    ['it', ['Quanti clienti abbiamo a Roma?', 'vendite per mese nel 2024', 'totale delle fatture di marzo']],
    [
      'pt',
      ['Quantos clientes temos em Lisboa?', 'vendas por mês em 2024', 'Qual foi o lucro do ano passado?'],
    ],
    ['nl', ['Hoeveel klanten hebben we in Utrecht?', 'omzet per maand in 2024']],
    ['sv', ['Hur många kunder har vi i Stockholm?', 'försäljning per månad']],
    ['pl', ['Ilu klientów mamy w Warszawie?', 'sprzedaż według miesiąca']],
    ['tr', ['Ankara’da kaç müşterimiz var?', 'aylara göre satışlar']],
    ['ru', ['Сколько у нас клиентов в Москве?', 'выручка по месяцам']],
    ['uk', ['Скільки у нас клієнтів у Києві?']],
    ['el', ['Πόσους πελάτες έχουμε;']],
    ['ar', ['كم عدد العملاء في القاهرة؟']],
    ['he', ['כמה לקוחות יש לנו?']],
    ['zh', ['2024年每个月的销售额', '我们有多少客户？']],
    ['ja', ['東京の顧客は何人いますか']],
    ['ko', ['서울에 고객이 몇 명 있나요?']],
    ['en', ['revenue by month', 'How many customers are in Berlin?', 'total sales', 'per month']],
  ])('%s', (language, questions) => {
    for (const question of questions) expect(detectLanguage(question, 'en'), question).toBe(language);
  });

  it.each([
    'customers from São Paulo',
    'list the films of the director Müller',
    'how many players are from Côte d’Ivoire',
    'what is the population of “Île de la Cité et des environs”?',
    'orders of the customer Москва Трейд in 2024',
    'de la Cruz salary',
    'DAU',
    'top 5 by NPS',
    '',
    '2024?',
  ])('is not foreign for the names in it: %s', (question) =>
    expect(['en', 'und']).toContain(detectLanguage(question, 'en')),
  );

  it('is that of the database in doubt, whichever that is', () => {
    expect(detectLanguage('Umsatz total', 'de')).toBe('de');
    expect(detectLanguage('total sales by month', 'de')).toBe('en');
    expect(detectLanguage('xyz', 'de')).toBe('und');
  });
});

const KNOWN = new Set(['orders', 'weather', 'song', 'qwertz']);
const isKnownWord = (word: string): boolean => KNOWN.has(word);

describe('what can be told without a model', () => {
  it.each<[string, string]>([
    ['meaningless', '???'],
    ['meaningless', 'hello'],
    ['meaningless', 'Hi there, how are you?'],
    ['meaningless', 'thanks!'],
    ['gibberish', 'asdfgh'],
    ['gibberish', 'Asdfjkl qwrtzp'],
    ['gibberish', 'hahahaha'],
    ['gibberish', 'bcdfghjk lmnpqrs'],
    ['out-of-scope', 'tell me a joke'],
    ['out-of-scope', 'Write a short poem about autumn'],
    ['out-of-scope', 'Who are you?'],
    ['out-of-scope', 'What is the recipe for pizza?'],
  ])('%s: %s', (validity, text) => {
    const checked = checkQuestion(text, { isKnownWord });
    expect(checked.validity).toBe(validity);
    expect(checked.because).not.toBe('');
  });

  it.each([
    'how many orders',
    'orders?',
    '2024',
    'and by region?',
    'how many are there?',
    'qwertz of asdfgh',
    'qwertz',
    'BRCA HTTPS',
    'value of “asdfgh”',
    'rhythm',
    'Angst vor Strcprstskrzkrk',
    'what was the weather in May?',
    'who wrote the song Hello',
    'write a list of songs: song and year',
    'test scores of students',
    'hello kitty sales',
    'Сколько заказов',
    '月別売上',
  ])('in doubt it is a question: %s', (text) =>
    expect(checkQuestion(text, { isKnownWord })).toEqual({ validity: 'ok', because: '' }),
  );

  it('says nothing of the scope where the schema is not known', () =>
    expect(checkQuestion('tell me a joke').validity).toBe('ok'));

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const { validity, because } = checkQuestion(text, { isKnownWord });
        expect(because === '').toBe(validity === 'ok');
      }),
    );
  });
});
