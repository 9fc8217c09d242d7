/** Words that hardly any database knows, and synonyms with the senses that words have in questions to one. */
export const DEFAULT_WORDS = {
  noun: list(
    `accordion, bagpipe, beehive, canoe, chandelier, committee, dog, glacier, hammock, helmet, lantern, lighthouse, marmalade,
     parachute, sandwich, sombrero, tattoo, telescope, thermostat, trombone, umbrella, volcano, waffle, warranty`,
  ),
  adjective: list(
    `bilingual, blacklisted, certified, dormant, escalated, fragrant, handmade, haunted, loyal, obsolete, organic, premium,
     probationary, refunded, seasonal, sleepy, sponsored, suspicious, turbulent, vegetarian, velvet, vip, waterproof, zesty`,
  ),
  place: list(
    `Atlantis, Avalon, Brigadoon, Elbonia, Freedonia, Genovia, Gondor, Hyrule, Krakozhia, Latveria, Lilliput, Mordor, Narnia,
     Quahog, Ruritania, Shangri-La, Tamriel, Wakanda, Westeros, Xanadu, Zamunda, Zubrowka`,
  ),
  person: list(
    `Adele, Dumbledore, Fenwick Marrowby, Gandalf, Hermione Quibb, Jorvik Tansel, Ludmila Krzakova, Mirabel Quexley,
     Otto Vandersnoot, Quentin Abernoth, Taylor Swift, Thaddeus Wigglesby, Ulla Brimstad, Yorick Plimpton, Zaphod Beeblebrox, Zorblat`,
  ),
  organisation: list(
    `Aperture, Cyberdyne, Dunder Mifflin, Globex, Gringotts, Hooli, Initech, Nakatomi, Oscorp, Soylent, Tyrell, Vandelay,
     Weyland, Wonka, Zorg, Zwitsal`,
  ),
  synonyms: synonyms(`
    find the: look up the
    list the: enumerate the
    list all: enumerate all
    show the: display the
    show me: present
    give me: provide
    give the: provide the
    return the: retrieve the
    average: mean
    on average: on the average
    maximum: highest
    minimum: lowest
    highest: greatest
    lowest: smallest
    largest: biggest
    smallest: tiniest
    number of: count of
    total number of: overall number of
    different: distinct
    distinct: different
    belong to: are part of
    each: every
    every: each
    more than: over, in excess of
    less than: under, below
    greater than: above
    at least: no fewer than
    sorted: ordered
    ordered: sorted
    descending: decreasing
    ascending: increasing
    in alphabetical order: from A to Z
    customer: client, buyer
    employee: worker, staff member
    student: pupil
    teacher: instructor
    country: nation
    city: town
    film: movie
    movie: film
    car: automobile
    song: track
    singer: vocalist
    concert: gig
    store: shop
    shop: store
    invoice: bill
    price: cost
    salary: pay
    phone: telephone
    airport: airfield
    airline: carrier
    flight: air connection
    dog: hound
    owner: proprietor
    course: class
    department: division
    museum: gallery
    player: competitor
    matches: games
    winner: victor
    weight: mass
    battle: fight
    ship: vessel
    document: file
    language: tongue
    album: record
    artist: musician
    genre: style
    playlist: track list
    actor: performer
    rental: hire
    category: class
    payment: remittance
    dealer: reseller
    orders: purchases
    delivery: handover
    vehicle: automobile
    revenue: turnover
    title: name
    earliest: first
    latest: most recent
    people: persons
    population: number of inhabitants
  `),
};

function list(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim().replace(/\s+/g, ' '));
}

function synonyms(text: string): Readonly<Record<string, readonly string[]>> {
  const rows = text.trim().split('\n');
  return Object.fromEntries(
    rows.map((row) => {
      const [word = '', others = ''] = row.split(':');
      return [word.trim(), list(others)];
    }),
  );
}
