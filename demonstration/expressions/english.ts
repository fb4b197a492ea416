import type { LanguageSentences } from './sentences.ts'

export const english: LanguageSentences = {
  before: [
    'Writing from {place}.',
    'I have lived in {place} all my life.',
    'Here in {place} this comes up every week.',
    'A word about {place}.',
    'I run a small shop in {place}.',
    'As a father of two in {place}.',
    'We discussed this at our residents’ meeting.',
    'I am a student in {place}.',
  ],
  after: {
    negative: [
      'Nobody answers our letters.',
      'This is unacceptable and has to stop.',
      'We are tired of waiting.',
      'The poorest suffer most.',
      'We reported it three times and nothing happened.',
    ],
    positive: [
      'Thank you to everyone who made this happen.',
      'Such an improvement, well done.',
      'I am really happy about it.',
      'It makes a great difference to people here.',
    ],
    neutral: [
      'What does the council plan?',
      'I suggest that we discuss it at the next meeting.',
      'Please publish the dates.',
      'Something to consider.',
    ],
  },
  byDomain: {
    health: {
      negative: [
        'The hospital is short of beds and the emergency room is overwhelmed.',
        'The clinic has been out of malaria medicine for a month.',
        'My mother waited nine hours before a doctor saw her.',
        'There is no midwife at the health centre at night.',
        'A consultation costs more than I earn in two days.',
      ],
      positive: [
        'The nurses at our clinic are kind, patient and excellent.',
        'The new maternity ward is clean and well equipped.',
        'The vaccination team reached every street, great work.',
      ],
      neutral: ['The health centre opens at eight and closes at four.', 'A second ambulance would be useful for the district.'],
    },
    education: {
      negative: [
        'There are eighty pupils in my son’s class.',
        'The school roof leaks and lessons stop whenever it rains.',
        'The secondary school has had no mathematics teacher since September.',
        'University fees went up again, which is unfair.',
      ],
      positive: [
        'The new teacher has made the whole class love reading.',
        'The school library is wonderful.',
        'Thanks to the scholarship my daughter could start secondary school.',
      ],
      neutral: ['Exams of the second term begin in March.', 'Could the school canteen open on Wednesdays too?'],
    },
    transport: {
      negative: [
        'The road is full of potholes and two motorbikes crashed this week.',
        'The bus comes once an hour and is always overcrowded.',
        'There is no pedestrian crossing in front of the school and it is dangerous.',
        'The bridge is closed and the detour takes an hour.',
      ],
      positive: [
        'The new bus line is punctual and comfortable.',
        'The street was paved within two weeks, great job.',
        'The cycle lane is safe and pleasant.',
      ],
      neutral: ['The train timetable changes on Monday.', 'A bus stop near the market would be practical.'],
    },
    'water-sanitation': {
      negative: [
        'There has been no water in the taps for three days.',
        'The water is brown and smells bad, and children fall ill.',
        'Sewage overflows into the street every time it rains.',
        'The water bill has doubled while the cuts continue.',
      ],
      positive: [
        'The new borehole finally gives clean water to the whole area.',
        'The school toilets are new and well kept.',
        'The leaking pipe was repaired the same day, thank you.',
      ],
      neutral: ['The public tap is open from six to ten.', 'When will the sewer network reach our street?'],
    },
    energy: {
      negative: [
        'There are power cuts every evening from seven to midnight.',
        'The freezer was without electricity and I lost all my goods.',
        'The price of cooking gas has become unbearable.',
        'The prepaid meter eats the credit and nobody knows why.',
      ],
      positive: [
        'The solar street lights make us feel safe, a wonderful idea.',
        'Electricity has finally reached the village and everyone is happy.',
        'The connection to the grid was quick and well done.',
      ],
      neutral: ['Load shedding is announced for Thursday morning.', 'Solar panels on the roof of the town hall would be an idea.'],
    },
    'housing-urbanism': {
      negative: [
        'Rents have gone up by half in a year.',
        'People are building without a permit on the land meant for a park.',
        'The building has cracks and may collapse.',
        'My application for public housing has been waiting for four years.',
      ],
      positive: [
        'The renovated quarter is beautiful, with trees and benches.',
        'The new flats are bright and well insulated.',
        'The square has become a lovely place for everyone.',
      ],
      neutral: ['The zoning plan is on display until Friday.', 'How many floors will the new building have?'],
    },
    security: {
      negative: [
        'Three motorbikes were stolen in our street this week.',
        'We do not dare to go out after eight because of the robberies.',
        'The police take two hours to come.',
        'Young men fight near the station and everybody is afraid.',
      ],
      positive: [
        'The evening police patrols reassure us, good work.',
        'The fire brigade came in five minutes and saved the house.',
        'The new police station is friendly and efficient.',
      ],
      neutral: ['The police station moves to Peace Avenue.', 'Lighting near the stadium would help people at night.'],
    },
    'environment-waste': {
      negative: [
        'Rubbish has not been collected for two weeks and the smell is terrible.',
        'Plastic is burnt behind the houses and the air is unbreathable.',
        'The factory pollutes the river and the fish die.',
        'The beach is covered with waste.',
      ],
      positive: [
        'Recycling works well and the street is clean.',
        'Young people planted two hundred trees, wonderful.',
        'The park is gorgeous since it was cleaned.',
      ],
      neutral: ['The refuse lorry comes on Tuesdays and Saturdays.', 'Compost bins would be possible near the market.'],
    },
    'employment-economy': {
      negative: [
        'I graduated three years ago and cannot find a job.',
        'Prices at the market rise but wages do not.',
        'Small businesses pay their taxes and are refused every loan.',
        'My employer has not paid my salary for two months.',
      ],
      positive: [
        'The vocational training helped me to find a good job.',
        'The microcredit helped our cooperative to grow, thank you.',
        'The new covered market is excellent for traders.',
      ],
      neutral: ['A job fair takes place next month.', 'What are the conditions for starting a business?'],
    },
    'public-services': {
      negative: [
        'Six months of waiting for a passport is a shame.',
        'The counter closes at noon without notice and we must come back.',
        'I was asked for money for a birth certificate that should be free.',
        'The staff at the town hall are rude and explain nothing.',
      ],
      positive: [
        'My identity card was ready within a week, perfect service.',
        'The clerk at the town hall was friendly and efficient.',
        'The online form is simple and fast.',
      ],
      neutral: ['The town hall is open on Saturday morning.', 'Where do I apply for a birth certificate?'],
    },
    'justice-rights': {
      negative: [
        'My trial has been postponed for the fifth time.',
        'Women do not dare to file a complaint because nobody protects them.',
        'A lawyer is too expensive for ordinary people.',
        'Corruption at the court destroys our trust.',
      ],
      positive: [
        'Free legal aid helped me to win my case.',
        'The mediator settled our land dispute with respect.',
        'People with disabilities finally have their own entrance, well done.',
      ],
      neutral: ['The court sits on Thursdays.', 'Which documents are needed for a complaint at the court?'],
    },
    'agriculture-food': {
      negative: [
        'The fertiliser came after sowing and the harvest is lost.',
        'Rice has become too expensive for our families.',
        'Cattle destroy the fields and the conflicts get worse.',
        'The drought killed half of my herd.',
      ],
      positive: [
        'The improved seeds gave a very good harvest.',
        'The vet comes every month, a precious service.',
        'The community garden feeds twenty families, a great success.',
      ],
      neutral: ['The cattle market is on Sunday.', 'When does the seed store open?'],
    },
    'digital-connectivity': {
      negative: [
        'The mobile network fails every afternoon and nobody can work.',
        'Internet is too expensive for students.',
        'The council website is always down.',
        'My mobile money account was stolen and nobody helps me.',
      ],
      positive: [
        'Fibre has arrived and the connection is excellent.',
        'The digital centre trains young people for free, fantastic.',
        'The city’s app is clear and useful.',
      ],
      neutral: ['The antenna will stand behind the stadium.', 'The public wifi works until ten in the evening.'],
    },
    'culture-sport-youth': {
      negative: [
        'The football pitch has become a rubbish tip.',
        'The youth centre has been closed for a year and children hang about in the street.',
        'The festival was cancelled without any explanation, what a disappointment.',
        'The library has not bought a single new book for years.',
      ],
      positive: [
        'The music festival was beautiful and well organised.',
        'The new sports hall is superb and the children are happy.',
        'The theatre school gives our young people confidence.',
      ],
      neutral: ['The neighbourhood tournament starts on Saturday.', 'Is a public swimming pool planned?'],
    },
  },
}
