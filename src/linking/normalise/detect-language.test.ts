import { describe, expect, it } from 'vitest';
import { detectLanguage } from './check-question.ts';

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
