/**
 * Common English words for living things, materials, devices, professions, places and events, in the singular. They have few
 * synonyms, unlike abstract words ('drawback'): a text about such a thing contains this word or a word for a similar thing.
 */
const WORDS = `
accelerometer acne advertisement aids aircraft airplane airport alcohol allergy aluminium aluminum ambulance ammonia anaemia
anemia ankle antenna anthem anthropologist antibiotic antidepressant apartment apple architect arsenic artery arthritis artist
asphalt aspirin asthma astronaut auction avalanche avenue baker bakery ballet banana bandage banker bankruptcy barcode barley
barn baseball basement basketball battery beach bean bee beech beer beet beetle bicycle bike birch bishop blacksmith bladder
blanket blizzard blockchain bluetooth boiler bottle bread breast bribe bronze brother browser bucket budget bumblebee burglary
bus butcher butter butterfly cabbage cafe cafeteria caffeine cake calculator camel camera canal carbon carer carpenter carrot
castle cat cataract cathedral catheter cattle cedar cellar cement cemetery certificate chair chapel chatbot cheek cheese chef
cherry chess chicken chimney chin chlorine chocolate choir cholera cholesterol church cigarette clerk cliff clover coal coffee
coin colony compiler concert concrete cookie copper cortisol cotton coup cow crab cricket crow cucumber curtain dance database
daughter deer dementia dentist desert detective diabetes diamond diarrhea diarrhoea diesel divorce dog dolphin donkey dress
driver drone drought duck eagle earthquake economist eczema eel egg elbow election electrician elephant elevator embargo
encryption engineer epilepsy eruption escalator estrogen ethernet factory falcon farmer father fence fern ferry fertiliser
fertilizer fever fisherman flood flu foam football fountain fox fridge frog fungus furnace garage gardener garlic gasoline
gearbox generator glacier glaucoma glider glove glucose goat gold golf goose gout gpu grandchild grandmother grandparent granite
grape graphite greenhouse guitar gym haemoglobin harbor harbour hat hawk headphone helicopter helium helmet hemoglobin hemp hen
heparin hepatitis herb herbicide hernia hip hockey honey horse hotel hurricane husband hydrogen hypertension ibuprofen inflation
influenza insulin insurance internet inverter invoice iron island ivy jacket jaw jazz jewel juice jungle kernel kettle keyboard
kidney kindergarten kitchen kitten knee knife ladder lake lamb lamp laptop laser lathe lawsuit lawyer lemon lettuce leukaemia
leukemia librarian licence license limestone linux lion lithium liver lizard lobbyist lobster lorry lottery lung magnesium maize
malaria manganese marble marriage mathematician mattress mayor measles meat mechanic melatonin mercury methane microphone
microscope midwife migraine milk millet miscarriage modem monarchy monastery monsoon morphine mortgage mosquito moss moth mother
motorbike motorcycle motorway mountain mouth museum mushroom musician nausea necklace neighbor neighbour nerve newspaper nickel
nicotine nitrate nitrogen nose notary nun nurse nursery nut oak oat obesity octopus oestrogen olive onion opioid orchard
orchestra orchid orphan otter oven owl oxygen oyster ozone paint painter painting palm pancreas paracetamol parliament parole
parrot passport password pasta patent peach peat pencil penguin penicillin pension pensioner pepper pesticide petrol pharmacist
pharmacy philosopher phone phosphate phosphorus physicist physiotherapist piano pig pigeon pillow pine placenta plagiarism
plaster platinum playground plum plumber plutonium pneumonia podcast poet police policeman polio politician pond poplar
potassium potato prairie priest prison prisoner projector propeller psoriasis psychologist pub pumpkin quarry quartz rabbit
rabies radar radiator radio radium railway rainfall rainforest ransom rat reef referendum refrigerator refugee rent resin
restaurant rib rice river rocket roof rope royalty rubber rugby rye sailor salad salmon sandstone sandwich satellite scholarship
scooter screenshot sculpture seaweed senator sepsis shareholder shark sheep shepherd shirt shoe shoulder shovel shrimp silicon
silk silver singer sister skull skyscraper slate smartphone smartwatch smoking smuggler snack snail snake snow snowfall soap
soccer sodium sofa soldier song soup soy soybean spectacle spider spine spleen spoon spouse spreadsheet spruce squirrel stadium
steel stepfather steroid stomach stove strawberry strike stroke submarine subsidy suicide sulfur sulphur sunflower sunshine
supermarket supper surgeon swamp synagogue tablet tailor tariff tax taxi telescope television temple tennis terrorism
testosterone theater theatre thermometer thermostat thumb thyroid tiger timber tin titanium toad tobacco toddler tomato tooth
tornado touchscreen tourist towel toy tractor train tram transformer translator triplet trouser trout truck trumpet tsunami
tuberculosis tulip turbine turtle typhoon tyre ulcer umbrella uniform uranium uterus vaccine vein veteran veterinarian vine
vinegar violin visa vitamin volcano volleyball vomiting waiter walnut wardrobe warehouse wasp waterfall wedding weed whale wheat
wheel wife wifi wig wikipedia wildfire willow wind windmill wine wolf wool worm wrist yeast yoga yoghurt yogurt zinc zoo
`

const CONCRETE_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))

/**
 * Returns whether an English word, in the singular or plural and in any case, names a concrete thing, such as 'bread'.
 * Recognizes only the words of a fixed list.
 */
export const isConcrete = (word: string): boolean =>
  [/$/, /s$/, /es$/].some((ending) => CONCRETE_WORDS.has(word.toLowerCase().replace(ending, ''))) ||
  CONCRETE_WORDS.has(word.toLowerCase().replace(/ies$/, 'y'))
