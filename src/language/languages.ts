/** Words that tell languages apart in short questions to a database. Keys are ISO 639-1. */

/** Articles, prepositions, pronouns, question words, verbs of asking: they name nothing. */
export const LANGUAGE_STOP_WORDS: Readonly<Record<string, string>> = {
  en: `a all among an and any are as at between by did do does each every find for from get give had has have
    how in is it its last least less list many me more most much not of on only or our over per show shows than
    that the their them there these they this those to under us was we were what when where which who whose why
    with without would you`,
  de: `alle aller am an auf aus bei bitte das dem den der des die ein eine einer es für gib gibt haben hat ich
    ihre im ist ja je jede jeder mehr mir mit nach nicht oder ohne pro sind um und unser unsere vom von vor wann
    war waren was welche welchem welchen welcher welches wenn wer werden wie wieviel wieviele wir wird wo wurde
    wurden zeig zeige zu zum zur zwischen über`,
  fr: `au aux avec avez avons chaque chez combien dans de depuis des donne du elle en entre est et eu il ils la
    le les leur leurs montre nos notre nous ont ou où par pas plus pour pourquoi qu quand que quel quelle
    quelles quels qui sans ses son sont sous sur tous tout toutes un une vers`,
  es: `a cada con cuantos cuál cuáles cuándo cuánta cuántas cuánto cuántos dame de del desde donde dónde el ella
    en entre es ese esta este están fue ha han hasta hay la las los menos mostrar muestra muéstrame más nuestros
    o para por porque que quién quiénes qué se sin sobre son su sus tenemos tiene tienen todas todos un una y`,
  it: `abbiamo agli ai al alla che chi ci come con da dal dalla degli dei del della delle di dove e elenca fra
    gli i il in la le lo media mostra mostrami nel nella nelle non o ogni per perché più quale quali quando
    quante quanti quanto senza sono su sul tra tutte tutti un una è`,
  pt: `a ao aos as até cada com como da das de do dos e em entre está foi foram há mais menos mostra mostre na
    nas no nos nossos não o onde os ou para pela pelo por porque quais qual quando quantas quanto quantos que
    quem sem sobre são tem temos todas todos têm um uma é`,
  nl: `aan al alle bij dan dat de deze die door een en er geef had hebben heeft het hoe hoeveel hun in is kan
    meer meest met na naar niet of om ons onze op over per te tot tussen uit van voor waar wanneer waren wat we
    welke werd werden wie wij wordt zien zijn zonder`,
  sv: `alla av bland de den det efter eller en ett finns flest från för har hur här i ingen inte med mellan mest
    mycket många och om per på som till under utan vad var vem vi vilka vilken vilket visa är över`,
  da: `af alle blev de den der det eller en er et for fra har hvad hver hvilke hvilken hvilket hvor hvornår i
    ikke mange med meget mellem mest og om over per på som til uden under vi vis`,
  no: `alle av ble de den der det eller en er et for fra har hva hver hvilke hvilken hvilket hvor hvorfor i ikke
    mange med mellom mest mye og om over per på som til under uten vi vis`,
  pl: `a czy dla do gdzie i ile ilu jak jaka jaki jakie jest każdego każdy kiedy która które który lub mamy
    między na najlepiej najwięcej nie o od oraz po pod pokaż przed przez się są to tylko w według wszystkie z za
    ze`,
  tr: `ait bana başına bir bu bul daha değil en fazla geçen göre göster hangi her ile için kadar kaç kim listele
    mi mu mı ne nedir nerede olan tane tüm var ve veya çok`,
};

/** What is asked for most. */
export const LANGUAGE_ASKED_WORDS: Readonly<Record<string, string>> = {
  en: `average cities cost count countries country customers date day days employees highest invoices largest
    lowest margin month months names number orders people percentage price prices products profit quarter ratio
    revenue rows salary sales schools students sum suppliers today top total week weeks year years yesterday
    clients com come data her i land las los media no non order patients son visa`,
  de: `anzahl artikel ausgaben bestellungen datum durchschnitt durchschnittliche durchschnittlicher
    durchschnittliches filiale filialen firmen gehalt gesamt gestern gewinn größte heute höchste höchsten
    insgesamt jahr jahre kosten kunden land letzten lieferanten liste länder meisten mitarbeiter monat monaten
    niedrigste patienten preis preise produkte produkten quartal rechnung rechnungen schulen schüler stadt
    städte summe tag tage teuersten umsatz verkauft verkäufe woche`,
  fr: `affaires année articles aujourd bénéfice chiffre clients commandes coût coûts date employés factures
    fournisseurs hier jour jours liste magasin magasins marge mois montant moyen moyenne nombre patients pays
    prix produit produits revenus salaire semaine somme trimestre vendus vente ventes ville villes école élève
    élèves étudiants`,
  es: `artículos ayer año años beneficio ciudad ciudades clientes coste costo días empleados empresas escuelas
    estudiantes facturas fecha ganancia gastos hoy ingresos lista media medio mes meses nombre nombres número
    pacientes país países pedidos precio precios productos promedio proveedores región salario semana suma
    tienda tiendas total trimestre vendidos ventas`,
  it: `anni anno aziende città clienti costi costo data dipendenti elenco fatturato fatture fornitori giorni
    giorno ieri medio mese mesi negozi negozio nome nomi numero oggi ordini paese paesi pazienti prezzi prezzo
    prodotti reparto ricavi scuole settimana somma spese stipendio studenti totale trimestre utile vendite
    venduti`,
  pt: `alunos ano anos cidade cidades clientes custo custos despesas dia dias empresas escolas faturas
    fornecedores funcionários hoje lista loja lojas lucro meses média médio mês nome nomes ontem pacientes país
    países pedidos preço preços produtos receita região salário semana soma total trimestre vendas vendidos`,
  nl: `aantal afdeling bedrijven bestellingen dagen datum facturen gemiddeld gemiddelde gisteren jaar jaren
    klanten kosten laat landen leveranciers maand maanden medewerkers omzet patiënten prijs prijzen producten
    salaris scholen som steden studenten totaal totale uitgaven vandaag verkocht verkopen vestiging week
    werknemers winkel winkels winst`,
  sv: `anställda antal butik butiker dagar datum elever fakturor företag försäljning genomsnitt genomsnittlig
    idag igår intäkter kostnad kostnader kunder kvartal leverantörer lista länder månad månader namn order
    patienter pris priser produkter skolor städer summa summan sålda total totala utgifter vecka vinst år`,
  da: `ansatte antal butikker byer dag dage elever fakturaer firmaer gennemsnit gennemsnitlig går kunde kunder
    kvartal lande leverandører liste måned måneder navn omkostninger omsætning ordrer overskud patienter pris
    priser produkter salg skoler solgt sum total uge år`,
  no: `ansatte antall butikker byer dager elever fakturaer firmaer gjennomsnitt gjennomsnittlig kostnader kunde
    kunder kvartal land leverandører liste måned måneder navn omsetning ordrer overskudd pasienter pris priser
    produkter salg skoler solgt sum total uke år`,
  pl: `cena ceny daty dni dostawcy dostawców faktur faktury firmy klientów koszt koszty kraj kraje liczba lista
    miasta miesiąc miesiąca miesiącach pacjentów pracownicy pracowników produkty produktów rok roku sklep sklepy
    sprzedają sprzedaż suma szkoły tydzień uczniów zamówienia zamówień zysk średnia średnie`,
  tr: `adet ay aya aylara aylık fatura faturalar fiyat fiyatı gelir gider gün günlük hasta kar kazanç kâr
    maliyet müşteri müşteriler müşterimiz okul okullar ortalama satış satışlar sayısı sipariş siparişler tarih
    tedarikçi toplam yıl yılı yılında çalışan çalışanlar öğrenci ülke ülkeler ürün ürünler şehir`,
};

/** Letters that hardly any other of these languages has. */
export const LANGUAGE_LETTERS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['de', /ß/u],
  ['es', /[ñ¿¡]/u],
  ['pt', /[ãõ]/u],
  ['pl', /[łśźżąę]/u],
  ['tr', /[ğşı]/u],
];

/** Letters of one script for one language; the first that fits. */
export const LANGUAGE_SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['uk', /[іїєґ]/iu],
  ['ru', /\p{Script=Cyrillic}/u],
  ['el', /\p{Script=Greek}/u],
  ['fa', /[پچژگ]/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['th', /\p{Script=Thai}/u],
];
