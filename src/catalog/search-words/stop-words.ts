/** Words that say nothing about what is searched, in the four languages of the interface. They are ignored beside other words. */
const STOP_WORDS = new Set(
  [
    'a an and any are as at be been by can did do does for from had has have having how i in into is it its many me much my not of on or our per so',
    'some that the their them then there these they this those to us was we were what when where which while who whom whose why will with you your',
    'all each every find show give list get want need know about table tables data dataset datasets column columns field fields',
    'aber als am an auch auf aus bei bis das dass dem den der des die ein eine einem einen einer eines es fur hat ich im in ist mein mit nach nicht',
    'oder sich sie sind so und uns unser vom von vor war was welche welcher welches wenn wer wie wir wird wo zu zum zur',
    'al como con cual cuales cuando cuantos de del donde el ella en es esta este esto estos la las lo los mi mis no nos o para pero por que quien se',
    'sin sobre son su sus un una unas unos y ya',
    'au aux avec ce ces cette comment dans de des du elle en est et il ils je la le les leur lui mais me mes mon ne nos notre nous on ou par pas pour',
    'quand que quel quelle quelles quels qui sa sans ses son sont sur un une vos votre vous',
  ]
    .join(' ')
    .split(' '),
)

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)
