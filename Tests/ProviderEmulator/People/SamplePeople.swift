/// The authors of the sample catalogue as far as the emulator's authors know them, and others who bear their names. Some authors
/// are missing on purpose (Bessel van der Kolk, Jill McCorkle); of some not everything is stated.
enum SamplePeople {
    static let all: [Person] =
        classics + modern + young + knowledge + romance + european + asian + homonyms + genders
}
